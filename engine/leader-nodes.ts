/** The nodes that a leader knows, and what it remembers of each. Source: SCALE 4. */
import { NO_REPLY } from '../core/inbox.ts'
import { NODES_MAX } from '../core/limits-cluster.ts'
import type { Answer } from '../core/ports.ts'
import type { Submission } from '../core/types.ts'

export interface NodeState {
  readonly node: number
  /** Incarnation of the world thread there; 0 until it is heard of. */
  sender: number
  /**
   * The last batch before it was first heard of: until it has applied that, commands it sends may
   * stand in rows that it has not seen.
   */
  readonly from: number
  /** The last slice taken. */
  slice: number
  seenMs: number
  /** Nothing was heard of it for long, and its players are unbound. */
  isGone: boolean
  /** It has ended; copies of what it sent before may still come. */
  hasLeft: boolean
  /** Number of the first of `answers`, which the node has not confirmed. */
  first: number
  answers: Answer[]
  /** Batches of its commands by ref: 0 while none holds them. */
  readonly refs: Map<number, number>
}

export interface KnownNodes {
  readonly nodes: Map<number, NodeState>
  /** The node of each command that no batch holds yet. */
  readonly owners: Map<number, NodeState>
}

/** Makes the command that ends all logins at a node. */
export const unbindNode = (node: number): Submission => ({
  ref: NO_REPLY,
  player: 0,
  command: 'internal:unbind_node',
  params: { node },
  framing: 'ws2',
})

/** Returns true of that command. */
export const isLeaving = (
  { command, params }: Pick<Submission, 'command' | 'params'>,
  node: number,
): boolean => command === 'internal:unbind_node' && params.node === node

export function addNode(
  { nodes }: KnownNodes,
  node: number,
  about: Pick<NodeState, 'sender' | 'from' | 'seenMs'>,
): NodeState {
  const state: NodeState = {
    node,
    ...about,
    slice: 0,
    isGone: false,
    hasLeft: false,
    first: 1,
    answers: [],
    refs: new Map(),
  }
  nodes.set(node, state)
  return state
}

/** Has answers to the commands of a node go to it no more. */
export function disown({ owners }: KnownNodes, { refs }: NodeState): void {
  for (const ref of refs.keys()) owners.delete(ref)
  refs.clear()
}

/** Says whether commands of a node wait for their batch: what it sends again must be known. */
const hasWaiting = ({ refs }: NodeState): boolean => {
  for (const batch of refs.values()) if (batch === 0) return true
  return false
}

/** Forgets a node, unless commands of it wait for their batch; returns whether it did. */
export function forgetNode(known: KnownNodes, state: NodeState): boolean {
  if (hasWaiting(state)) return false
  disown(known, state)
  return known.nodes.delete(state.node)
}

/** Says whether there is room for one more node; forgets the oldest that is gone to make it. */
export function hasRoom(known: KnownNodes): boolean {
  if (known.nodes.size < NODES_MAX) return true
  for (const state of known.nodes.values())
    if (state.isGone && forgetNode(known, state)) return true
  return false
}
