# shellcheck shell=sh
# Sourced by tests that run every command: small inputs of those that read boards and times of programs.

write_board() { # board.json: measurements of the three launches of three.yaml, which the caller writes
  cat >board.json <<'END'
{"schema": "reassemble.board/1", "name": "three", "board": "none", "gpu": "mali-g71-mp8", "clock_hz": 1000000000, "driver": "none",
 "statistic": "minimum of 1 run", "unit": "cycles", "source": "none", "measurements": [
 {"name": "A", "workload": "./three.yaml", "launch": 0, "description": "", "value": 1000, "source": "none"},
 {"name": "B", "workload": "./three.yaml", "launch": 1, "description": "", "value": 900, "source": "none"},
 {"name": "C", "workload": "./three.yaml", "launch": 2, "description": "", "value": 800, "source": "none"}]}
END
}

write_program_times() { # name, factor: NAME.json, times of three programs, so many times those of the first device
  awk -v name="$1" -v factor="$2" 'BEGIN {
    split("kernel read write map unmap copy fill calls latency host", kinds)
    printf "{\"schema\": \"reassemble.programs/1\", \"name\": \"%s\", \"programs\": [", name
    for (i = 1; i <= 3; i++) {
      printf "%s{\"name\": \"p%d\", \"total_ns\": %d, \"simulated_ns\": %d, \"parts\": {", (i > 1 ? ", " : ""), i, 1e6 * i * factor, 1e6 * i
      for (k = 1; k <= 10; k++) printf "%s\"%s\": {\"ns\": %d, \"awaited_ns\": 1}", (k > 1 ? ", " : ""), kinds[k], 1e5 * (i + k)
      printf "}}"
    }
    print "]}"
  }' >"$1.json"
}
