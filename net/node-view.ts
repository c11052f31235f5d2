/** State of a node in the cluster, as reported by its world thread. */
import { CUT_OFF_MS } from '../core/limits-cluster.ts'
import type { ClusterFigures, NodeFigures, ToMain } from '../core/ports.ts'
import type { Clock } from './ports.ts'

export interface NodeEvents {
  /** Called when the world thread has the lease. */
  leads(): void
  /** Called when an operator requests a hand-over. */
  stepDown(): void
}

type NodeMessage = Extract<ToMain, { kind: 'leads' | 'step_down' | 'cluster' }>

export interface NodeView {
  take(message: NodeMessage): void
  /**
   * Returns the latest figures; undefined until the thread reports some, which a single process
   * never does.
   */
  figures(): NodeFigures | undefined
}

/** Returns true when a node has been behind the head of the world for too long. */
export const isCutOff = (figures: NodeFigures | undefined): boolean =>
  (figures?.staleMs ?? 0) > CUT_OFF_MS

/** Creates the view, which is updated by messages of the world thread. */
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
      // A busy or dead thread reports nothing, so its last figures age here.
      return { ...figures, staleMs: figures.staleMs + clock.monoMs() - atMs, takeovers }
    },
  }
}
