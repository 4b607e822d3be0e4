"""Small programs that the benchmarks measure this project against."""
