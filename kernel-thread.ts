/**
 * Entry module of a kernel thread (piscina): attaches the columns, imports the kernels, serves one
 * tick per task.
 */
import { Piscina } from 'piscina'
import {
  type KernelThreadData,
  kernelThreadColumns,
  loadKernels,
  serveTick,
} from './core/parallel.ts'
import { armKernels, type Fault } from './engine/faults.ts'

const data = Piscina.workerData as KernelThreadData
const kernels = await loadKernels(data.kernels, kernelThreadColumns(data))
const runs = armKernels(data.extra as Fault | undefined, kernels)

/** Makes sure the thread has started and its kernels are loaded. */
export function warm(): void {}

/** Serves the split systems of one tick, beginning after barrier step `step`. */
export function serve(step: number): void {
  serveTick(data, runs, step)
}
