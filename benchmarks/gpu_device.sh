#!/bin/bash
# Everything that is measured on a graphics card, in one go: gpu_device.sh FOLDER
out=$1
mkdir -p "$out"
nvidia-smi | head -15
python3 -c "import gudgeon, llvmlite, numpy, sys; print(sys.version, llvmlite.__version__, numpy.__version__)"
time timeout 500 python3 -m benchmarks.gpu --cases P1 --sizes 10000,100000,1000000 --compare --sweep 0,168,128 --out "$out"
time timeout 500 python3 -m benchmarks.gpu --cases friction,spatial --sizes 10000,100000,1000000 --compare --out "$out"
nvidia-smi --query-gpu=utilization.gpu,power.draw,clocks.sm --format=csv -l 20 > "$out/smi.csv" &
watch=$!
time timeout 500 python3 -m benchmarks.gpu_map run --side 1000 --out "$out"
kill $watch
ls -la "$out"
