# Writes a header with a digest of source files:
# cmake -DLIST=files.txt -DHEADER=digest.h -DNAME=MACRO -DMORE=text -P SourceDigest.cmake
# The digest changes with the contents of the files and with the text, not with their places.
file(STRINGS ${LIST} files)
set(digests "${MORE}")
foreach(file ${files})
  file(SHA256 ${file} digest)
  string(APPEND digests ${digest})
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING ${digest} 0 16 digest)
file(WRITE ${HEADER} "#define ${NAME} \"${digest}\"\n")
