# SPDX-License-Identifier: GPL-3.0-or-later
# Kernels with one mistake each; kernels/cuda/README.md has them as a table.
include(cuda_mutant.cmake)
set(mutated_folder kernels/cuda)
set(mutated_libraries vitrine_cuda_host)

cuda_mutant(sum_without_barrier plain wrong_answer ops rms_norm.cu reduce.h
    "    __syncthreads(); // all warps' sums are there\n" "")
cuda_mutant(sum_races thread race ops rms_norm.cu reduce.h
    "    __syncthreads(); // all warps' sums are there\n" "")
cuda_mutant(keys_are_found_too_late thread race attention attention.cu attention.cu
    "        __syncthreads(); // all weights" "        // all weights")
cuda_mutant(leaves_before_barrier plain divergence ops rms_norm.cu rms_norm.cu
    "    const std::size_t row = p.rowNumbers"
    "    if (threadOf() >= p.columns)\n        return;\n    const std::size_t row = p.rowNumbers")
cuda_mutant(table_off_by_one plain wrong_answer_or_crash attention attention.cu attention.cu
    "key / p.pool.blockSize * p.tableStride]" "(key / p.pool.blockSize + 1) * p.tableStride]")
cuda_mutant(table_of_another_group address overrun attention attention.cu attention.cu
    "work.item.table + key / p.pool.blockSize * p.tableStride]" "work.item.table + key / p.pool.blockSize]")
cuda_mutant(last_tile_is_not_masked plain wrong_answer attention attention.cu attention.cu
    "const int count = min(kKeys, work.end - tile);" "const int count = kKeys;")
cuda_mutant(sees_the_future plain wrong_answer attention attention.cu attention.cu
    "key <= position(query) &&" "key <= position(query) + 1 &&")
cuda_mutant(window_off_by_one plain wrong_answer attention attention.cu attention.cu
    "key > position(query) - p.window" "key >= position(query) - p.window")
cuda_mutant(head_of_another_group plain wrong_answer attention attention.cu attention.cu
    "kvHead * group + item.firstHead" "kvHead + item.firstHead")
cuda_mutant(soft_cap_is_left_out plain wrong_answer attention attention.cu attention.cu
    "p.softCap > 0 ? p.softCap * tanhf(dot / p.softCap) : dot" "dot")
cuda_mutant(sum_is_not_rescaled plain wrong_answer attention attention.cu attention.cu
    "shared.sums[q] * rescale" "shared.sums[q]")
cuda_mutant(part_is_left_out plain wrong_answer attention attention.cu attention.cu
    "for (int part = 0; part < merge.parts; ++part)\n            sum"
    "for (int part = 1; part < merge.parts; ++part)\n            sum")
cuda_mutant(parts_are_not_rescaled plain wrong_answer attention attention.cu attention.cu
    "sum += p.partialSums[partialOf(part)] * expf(p.partialMaxima[partialOf(part)] - greatest)"
    "sum += p.partialSums[partialOf(part)]")
cuda_mutant(scores_overwritten_too_early plain wrong_answer attention attention.cu attention.cu
    "        __syncthreads(); // the weights have been read" "        // the weights have been read")
cuda_mutant(weights_read_too_early plain wrong_answer attention attention.cu attention.cu
    "        __syncthreads(); // all weights" "        // all weights")
cuda_mutant(queries_read_too_early plain wrong_answer attention attention.cu attention.cu
    "    __syncthreads(); // queries, maxima" "    // queries, maxima")
cuda_mutant(warp_is_not_synchronised thread race attention attention.cu attention.cu
    "        __syncwarp(); // all lanes have read" "        // all lanes have read")
cuda_mutant(shared_memory_too_short address overrun attention attention.cu attention.cu
    "static_cast<std::size_t>(pool.headDim) * sizeof(float);"
    "static_cast<std::size_t>(pool.headDim) * sizeof(float) - sizeof(float);")
cuda_mutant(array_too_short address overrun attention attention.cu attention.cu
    "STATIC_SHARED(float, maxima, kQueries)" "STATIC_SHARED(float, maxima, kQueries - 1)")
cuda_mutant(head_is_not_complete plain wrong_answer rope rope.cu rope.cu
    "    __syncthreads(); // the head is complete" "    // the head is complete")
cuda_mutant(slot_off_by_one plain wrong_answer rope rope.cu rope.cu
    "static_cast<int>(slot % p.pool.blockSize)" "static_cast<int>((slot + 1) % p.pool.blockSize)")
cuda_mutant(slot_of_another_group plain wrong_answer rope rope.cu rope.cu
    "p.slotMapping[static_cast<std::size_t>(token) * static_cast<std::size_t>(p.slotStride)]"
    "p.slotMapping[static_cast<std::size_t>(token)]")
cuda_mutant(round_overwritten_too_early plain wrong_answer choice top_k.cu top_k.cu
    "        __syncthreads(); // the next round" "        // the next round")
cuda_mutant(later_of_equals plain wrong_answer choice top_k.cu candidate.h
    "index < other.index" "index > other.index")
cuda_mutant(columns_left_out plain wrong_answer weights dequantize.cu dequantize.cu
    "int c = row.parts() * format::kPartColumns + threadOf()"
    "int c = (row.parts() + 1) * format::kPartColumns + threadOf()")
cuda_mutant(scale_of_the_other_half plain wrong_answer weights dequantize.cu formats.h
    "block[192 + 2 * part + half]" "block[192 + 2 * part]")
cuda_mutant(codes_read_too_far address overrun weights dequantize.cu formats.h
    "wordAt<2>(block + 2 + 16 * half + 4 * quad)" "wordAt<2>(block + 4 + 16 * half + 4 * quad)")
cuda_mutant(slot_in_32_bits plain wrong_answer_or_crash offsets rope.cu rope.cu
    "static_cast<Element*>(p.pool.data) + key" "static_cast<Element*>(p.pool.data) + static_cast<unsigned>(key)")
cuda_mutant(row_in_32_bits plain wrong_answer offsets dequantize.cu formats.h
    "row * static_cast<std::size_t>(columnCount / Format::kBlockColumns) * Format::kBlockBytes"
    "static_cast<unsigned>(row) * static_cast<unsigned>(columnCount / Format::kBlockColumns * Format::kBlockBytes)")
