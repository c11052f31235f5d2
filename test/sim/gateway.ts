/**
 * A gateway of a simulation: the main thread's half of the server, over a real replica of the
 * world. When the replica ends, main starts another.
 */
import type { ToMain, ToWorld } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { createFollower } from '../../engine/follower.ts'
import { openSection } from '../../engine/start.ts'
import { describeWith } from '../../net/publish/frames.ts'
import type { SpawnOptions, WorldThread } from '../../net/world-thread.ts'
import type { Audit } from './audit.ts'
import type { SimBus } from './bus.ts'
import type { Saboteur } from './canary.ts'
import type { FaultPlan } from './faults.ts'
import { createFront, type Front } from './front.ts'
import type { SimLease } from './lease.ts'
import { createProcess, type Process } from './process.ts'
import type { Stage } from './stage.ts'
import type { Life, SimStorage } from './storage.ts'

interface GatewayOptions {
  readonly registry: Registry
  readonly stage: Stage
  readonly plan: FaultPlan
  readonly storage: SimStorage
  readonly audit: Audit
  readonly bus: SimBus
  readonly lease: SimLease
  readonly saboteur: Saboteur
  readonly worldName: string
  readonly shape: { readonly tickMs: number; readonly maxEntities: number }
}

export interface Gateway {
  readonly front: Front
  readonly node: number
  /** Returns the world of its replica; undefined while there is none. */
  readonly world: () => World | undefined
  /** Ends its replica as a crash would. */
  endReplica(): void
  /** Ends the whole process. */
  end(): void
}

type Follower = Awaited<ReturnType<typeof createFollower>>

interface Replica {
  readonly life: Life
  world: World | undefined
}

interface Node {
  readonly options: GatewayOptions
  readonly place: string
  readonly node: number
  readonly process: Process
  replica: Replica | undefined
}

interface Port {
  readonly spawned: SpawnOptions
  readonly process: Process
  readonly replica: Replica
  /** Sends to main. */
  post(message: ToMain): void
}

function openFollower({ options, place, node }: Node, port: Port): Promise<Follower> {
  const { registry, stage, storage, bus, lease, worldName, shape } = options
  const { spawned, process, replica, post } = port
  const { monotonicMs, wallMs, at } = stage.worldClock
  return createFollower({
    ...shape,
    registry,
    post,
    node,
    worldName,
    identity: { node, role: 'gateway', host: place, pid: node, release: '0.0.0' },
    bus: bus.connect(place, process),
    store: storage.connectReplica(replica.life, {
      takeIncarnation: async () => stage.takeIncarnation(),
      lease: async () => lease.view(),
    }),
    clock: { monotonicMs, wallMs, at: (ms, then) => at(ms, () => process.enter(then)) },
    section: (world) => {
      replica.world = world
      return openSection(world, registry)
    },
    manual: false,
    snapshotEvery: Number.MAX_SAFE_INTEGER,
    checkEvery: Number.MAX_SAFE_INTEGER,
    hashEvery: 1,
    lastPublished: spawned.firstStart ? undefined : spawned.lastPublished,
    describe: describeWith(registry),
    heartbeat: () => {},
    busy: () => {},
  })
}

/** Starts a replica and returns it as the world thread that main expects. */
function spawn(owner: Node, spawned: SpawnOptions): WorldThread {
  const { stage, storage } = owner.options
  const process = createProcess(stage, `replica of ${owner.place}`, owner.process)
  let onMessage: (message: ToMain) => void = () => {}
  let onExit: (reason: string) => void = () => {}
  let follower: Follower | undefined
  const earlyMessages: ToWorld[] = []
  const toMain = (deliver: () => void): void => stage.post(() => owner.process.enter(deliver))
  const life: Life = {
    isOver: false,
    enter: process.enter,
    end(reason) {
      if (life.isOver) return
      life.isOver = true
      process.isOver = true
      storage.ended(life)
      if (owner.replica === replica) owner.replica = undefined
      toMain(() => onExit(reason))
    },
  }
  const replica: Replica = { life, world: undefined }
  owner.replica = replica
  const post = (message: ToMain): void => {
    if (life.isOver) return
    if (message.kind === 'fatal') stage.broken(`${owner.place}: ${message.text}`)
    const plain = structuredClone(message)
    toMain(() => onMessage(plain))
  }
  process.enter(() => {
    openFollower(owner, { spawned, process, replica, post }).then(
      (made) => {
        follower = made
        for (const message of earlyMessages.splice(0)) made.receive(message)
      },
      (error: unknown) => {
        stage.broken(error instanceof Error ? (error.stack ?? error.message) : String(error))
      },
    )
  })
  return {
    post(message) {
      const plain = message.kind === 'submit' ? structuredClone(message) : message
      const receive = (): void => {
        if (follower) follower.receive(plain)
        else earlyMessages.push(plain)
      }
      stage.post(() => process.enter(receive))
    },
    onMessage: (handler) => {
      onMessage = handler
    },
    onExit: (handler) => {
      onExit = handler
    },
    terminate: () => life.end('terminated'),
  }
}

/** Starts a gateway with an incarnation of its own. */
export function startGateway(options: GatewayOptions, place: string): Gateway {
  const { registry, stage, plan, storage, audit, saboteur } = options
  const process = createProcess(stage, place)
  const node = stage.takeIncarnation()
  const owner: Node = { options, place, node, process, replica: undefined }
  const endAll = (): void => {
    process.isOver = true
    owner.replica?.life.end('node_end')
  }
  let front: Front | undefined
  process.enter(() => {
    front = createFront({
      registry,
      stage,
      plan,
      storage,
      audit,
      saboteur,
      host: { spawn: (spawned) => spawn(owner, spawned), cut: endAll },
      node: { incarnation: node, enter: process.enter },
    })
  })
  if (!front) throw new Error(`${place} did not start`)
  return {
    front,
    node,
    world: () => owner.replica?.world,
    endReplica: () => owner.replica?.life.end('replica_end'),
    end: front.cut,
  }
}
