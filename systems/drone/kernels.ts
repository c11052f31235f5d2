/**
 * The kernels of drones: what scripts decide, a row a drone, and what those that mine pull. They
 * write `Thought` and the deposits of their star systems, nothing else. Source: drones.md sections
 * 3.5, 5; mining.md sections 6, 7.
 */
import { kernel } from '../../core/system.ts'
import { evaluatorOf } from './evaluate-kernels.ts'
import { createPull } from './pull-kernels.ts'
import { Drone } from './state.ts'

export const kernelsFile = import.meta.url

export const think = kernel((columns) => {
  const { evaluate } = evaluatorOf(columns)
  return (rows, from, to, env) => {
    for (let i = from; i < to; i++) evaluate(rows[i], env.tick)
  }
})

/** Rows by system, place and number. */
export const pull = kernel((columns) => {
  const { poi } = columns.of(Drone)
  const work = createPull(columns)
  return (rows, from, to, env) => {
    let start = from
    while (start < to) {
      let end = start + 1
      while (end < to && poi[rows[end]] === poi[rows[start]]) end++
      work(rows, start, end, env)
      start = end
    }
  }
})
