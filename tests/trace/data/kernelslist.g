# what the program did
MemcpyHtoD,0x00007fff00000000,65536
modes.traceg

MemcpyDtoH,0x00007fff00000000,65536
v1-mixed.traceg
MemcpyHtoD,0x00007fff00010000,16
v2.traceg
v4-lines.traceg
v5-immediates.traceg
modes.traceg
