# shellcheck shell=sh
# Sourced by demo.sh and test.sh: `need_packages run`, `need_packages test` or `need_packages aarch64` (what is marked so
# alone) installs what packages.txt lists and this machine lacks. Nothing missing: nothing is asked of anyone, root or not.

package_rows() { # run|test|aarch64: the rows of packages.txt that apply, alternatives still in them
  case $1 in
    run) grep -vE '\[(test|bench|browser|graphics|bifrost|aarch64)\]' packages.txt ;;
    test) grep -vE '\[(bench|browser|graphics|bifrost|aarch64)\]' packages.txt ;;
    *) grep -F "[$1]" packages.txt ;;
  esac | sed 's/#.*//; s/[[:space:]]*$//; /^$/d'
}

package_installed() { # a [| b ...]: one of them is installed
  for package in $(echo "$1" | tr -d '|'); do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] && return 0
  done
  return 1
}

package_choice() { # a [| b ...]: the first that this release has
  for package in $(echo "$1" | tr -d '|'); do
    apt-cache show "$package" >/dev/null 2>&1 && { echo "$package"; return; }
  done
  echo "$package"
}

need_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "This is not a Debian system; these packages (or your system's names for them) have to be there:" >&2
    package_rows "$1" | sed 's/^/  /' >&2
    return 0
  fi
  missing=$(package_rows "$1" | while IFS= read -r row; do package_installed "$row" || echo "$row"; done)
  [ -z "$missing" ] && return 0
  as_root=
  if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then as_root=sudo; else
      echo "Packages are missing and this user may not install them. As root, run:" >&2
      echo "  apt-get install $(echo "$missing" | sed 's/ *|.*//' | tr '\n' ' ')" >&2
      echo "(packages.txt says what each is for; where a name is not found take the alternative listed there)" >&2
      exit 2
    fi
  fi
  case $missing in *:arm64*) $as_root dpkg --add-architecture arm64 ;; esac
  $as_root apt-get update -qq
  # shellcheck disable=SC2046 # one word a package
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    $(echo "$missing" | while IFS= read -r row; do package_choice "$row"; done) >/dev/null
}
