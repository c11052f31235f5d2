/** The nodes that a leader knows, and what it remembers about each. Source: SCALE 4. */
import { NO_REPLY } from '../core/inbox.ts'
import { NODES_MAX } from '../core/limits-cluster.ts'
import type { Answer } from '../core/ports.ts'
import type { Submission } from '../core/types.ts'

/** What a leader remembers about a node. */
export interface NodeState {
  readonly node: number
  /** Incarnation of the node's world thread; 0 until it has sent something. */
  sender: number
  /**
   * The last batch before the node first sent something: until it has applied that one, commands it
   * sends may already be in rows that it has not seen.
   */
  readonly from: number
  /** The last slice taken. */
  slice: number
  seenMs: number
  /** The node has been silent for too long, and its players are unbound. */
  isGone: boolean
  /** The node has ended; late copies of what it sent before may still arrive. */
  hasLeft: boolean
  /** Number of the first of `answers`, which the node has not confirmed. */
  first: number
  answers: Answer[]
  /** The batch that holds each of the node's commands, by ref; 0 while none does. */
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

/** Returns whether a command is the one that ends all logins at `node`. */
export const isUnbindOf = (
  { command, params }: Pick<Submission, 'command' | 'params'>,
  node: number,
): boolean => command === 'internal:unbind_node' && params.node === node

/** Adds a node, and returns its state. */
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

/** Stops the delivery of answers to a node, and forgets which of its commands batches hold. */
export function disown({ owners }: KnownNodes, { refs }: NodeState): void {
  for (const ref of refs.keys()) owners.delete(ref)
  refs.clear()
}

/** Returns whether commands of a node await their batch: a repeat of one must be recognized. */
const hasWaiting = ({ refs }: NodeState): boolean => {
  for (const batch of refs.values()) if (batch === 0) return true
  return false
}

/** Forgets a node unless commands of it await their batch; returns whether it did. */
export function forgetNode(known: KnownNodes, state: NodeState): boolean {
  if (hasWaiting(state)) return false
  disown(known, state)
  return known.nodes.delete(state.node)
}

/** Returns whether there is room for one more node; forgets the oldest gone node to make some. */
export function hasRoom(known: KnownNodes): boolean {
  if (known.nodes.size < NODES_MAX) return true
  for (const state of known.nodes.values())
    if (state.isGone && forgetNode(known, state)) return true
  return false
}
