/**
 * Sends the heartbeats of a node on the bus, and keeps which nodes sent one lately. That list only
 * decides whether a leader may hand over: a silent node may well be alive.
 */
import { hostname } from 'node:os'
import { type Bus, type NodeBeat, subjectsOf } from '../core/bus.ts'
import { RELEASES } from '../core/catalog/changelog.ts'
import { NODE_BEAT_MS, NODES_HEARD_MAX } from '../core/limits-cluster.ts'
import type { ClusterFigures, ToMain } from '../core/ports.ts'
import { packMessage, unpackMessage } from '../storage/bus-messages.ts'
import { NODE_BEAT } from '../storage/bus-shapes.ts'

interface HeardNode {
  readonly beat: NodeBeat
  /** Time since its last heartbeat. */
  readonly ageMs: number
}

export interface Roster {
  nodes(): HeardNode[]
  close(): void
}

/** Listens to the heartbeats of nodes; if there are too many, keeps those heard from last. */
export function createRoster(bus: Bus, subject: string, monotonicMs: () => number): Roster {
  const heard = new Map<number, { readonly beat: NodeBeat; readonly atMs: number }>()
  const close = bus.subscribe(subject, (bytes) => {
    const beat = unpackMessage(NODE_BEAT, bytes)
    heard.delete(beat.node)
    heard.set(beat.node, { beat, atMs: monotonicMs() })
    if (heard.size <= NODES_HEARD_MAX) return
    const [oldest] = heard.keys()
    heard.delete(oldest)
  })
  return {
    nodes: () =>
      [...heard.values()].map(({ beat, atMs }) => ({ beat, ageMs: monotonicMs() - atMs })),
    close,
  }
}

/** What identifies a node for the lifetime of its process. */
export type NodeIdentity = Pick<NodeBeat, 'node' | 'role' | 'host' | 'pid' | 'release'>

/** Returns the identity of this process as a node. */
export const identityOf = ({ node, role }: Pick<NodeBeat, 'node' | 'role'>): NodeIdentity => {
  const { release } = RELEASES[0]
  return { node, role, host: hostname(), pid: process.pid, release }
}

/** How far the world of a node has come. */
interface NodePosition {
  readonly applied: number
  readonly head: number
  readonly tick: number
  readonly figures: ClusterFigures
}

interface BeatOptions {
  readonly bus: Bus
  readonly world: string
  readonly identity: NodeIdentity
  readonly post: (message: ToMain) => void
  readonly position: () => NodePosition
}

/** Reports this node's position on the bus and to main until the returned function is called. */
export function startNodeBeats({ bus, world, identity, post, position }: BeatOptions): () => void {
  const { nodes } = subjectsOf(world)
  const beat = (): void => {
    const { applied, head, tick, figures } = position()
    const { leads, leadership } = figures
    post({ kind: 'cluster', figures })
    const message: NodeBeat = { ...identity, leads, leadership, applied, head, tick }
    bus.publish(nodes, packMessage(message))
  }
  beat()
  const timer = setInterval(beat, NODE_BEAT_MS)
  return () => clearInterval(timer)
}
