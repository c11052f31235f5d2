/** Where the world thread of a node stands among others, as the rest of main reads it. */
import { CUT_OFF_MS } from '../core/limits-cluster.ts'
import type { ClusterFigures, NodeFigures, ToMain } from '../core/ports.ts'
import type { Clock } from './ports.ts'

export interface NodeEvents {
  /** The world thread has the lease. */
  leads(): void
  /** An operator asks this node to hand over. */
  stepDown(): void
}

type NodeMessage = Extract<ToMain, { kind: 'leads' | 'step_down' | 'cluster' }>

export interface NodeView {
  take(message: NodeMessage): void
  /** Undefined: the thread has said nothing of it; it may have no others beside it. */
  figures(): NodeFigures | undefined
}

/** Says whether a node has not been at the head of the world for long. */
export const isCutOff = (figures: NodeFigures | undefined): boolean =>
  (figures?.staleMs ?? 0) > CUT_OFF_MS

export function createNodeView(events: NodeEvents | undefined, clock: Clock): NodeView {
  let takeovers = 0
  let last: { readonly figures: ClusterFigures; readonly atMs: number } | undefined
  return {
    take(message) {
      if (message.kind === 'cluster') last = { figures: message.figures, atMs: clock.monoMs() }
      else if (message.kind === 'step_down') events?.stepDown()
      else {
        takeovers += 1
        events?.leads()
      }
    },
    figures() {
      if (!last) return undefined
      const { figures, atMs } = last
      // A thread that is busy, or gone, says nothing: what it knew gets older all the same.
      return { ...figures, staleMs: figures.staleMs + clock.monoMs() - atMs, takeovers }
    },
  }
}
