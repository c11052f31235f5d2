/**
 * Deliberate bugs that test the simulation: a domain that exists only here, or a saboteur between
 * storage and players, breaks one promise. The simulation must find each kind.
 */
import { Stack } from '../../core/goods.ts'
import { Account } from '../../core/ledger.ts'
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { boundNodes, isBoundAt } from '../../systems/account/presence-model.ts'
import { Player } from '../../systems/account/state.ts'

export const CANARIES = {
  credits: 'credits out of nothing: one side of a posting is missing (I1)',
  items: 'a stack grows by itself (I2)',
  reference: 'a player flies a ship that is not there (I6)',
  hidden: 'state outside of the world decides, so that a replay ends differently (I5)',
  lost_event: 'main forgets to send an event (I10)',
  lost_answer: 'the world forgets to answer a mutation',
  double_answer: 'a socket gets an answer twice',
  wrong_id: 'an answer carries the request_id of another player (I13)',
  early_publish: 'a batch is published before its row is durable (I4)',
  lost_row: 'a row is acknowledged and not kept (I4)',
} as const
export const CANARY_NAMES = Object.keys(CANARIES) as (keyof typeof CANARIES)[]

/** Canaries of a world with several nodes. */
export const NODE_CANARIES = {
  no_fence: 'the database takes rows of a leader that another has replaced',
  ignored_slice: 'the leader processes a slice twice that arrives twice',
  early_row: 'the leader sends a row before it is durable',
  any_unbind: 'an unbind from any node unbinds all',
} as const
export const NODE_CANARY_NAMES = Object.keys(NODE_CANARIES) as (keyof typeof NODE_CANARIES)[]

export type Canary = keyof typeof CANARIES | keyof typeof NODE_CANARIES

const firstAlive = (alive: ArrayLike<number>, high: number): number => {
  for (let row = high; row > 0; row--) if (alive[row] === 1) return row
  return 0
}

/** Counts ticks over all worlds of this process; no rule may read such a thing. */
let ticksSeen = 0

const BITES: Readonly<Partial<Record<Canary, (world: World) => void>>> = {
  credits(world) {
    const account = world.write(Account)
    account.credits[firstAlive(account.alive, world.highOf(Account))] += 1
  },
  items(world) {
    const stack = world.write(Stack)
    stack.units[firstAlive(stack.alive, world.highOf(Stack))] += 1
  },
  reference(world) {
    const player = world.write(Player)
    const row = firstAlive(player.alive, world.highOf(Player))
    if (row !== 0) player.ship[row] = MISSING_ROW
  },
  hidden(world) {
    const row = firstAlive(world.read(Player).alive, world.highOf(Player))
    if (row !== 0) world.setText(Player, 'statusMessage', row, `tick ${ticksSeen}`)
  },
}
const MISSING_ROW = 4_000

/** Makes a domain that breaks a promise in each tick from the given one on. */
export function canaryDomain(kind: Canary, tick: number): DomainDef {
  return {
    name: 'canary',
    systems: [
      {
        name: 'canary.bite',
        phase: 'settle',
        writes: [Account, Stack, Player],
        run(world) {
          ticksSeen += 1
          if (world.tick >= tick) BITES[kind]?.(world)
        },
      },
    ],
  }
}

/** Returns the domains with an unbind that ends the channels of all nodes. */
export const withAnyUnbind = (domains: readonly DomainDef[]): DomainDef[] =>
  domains.map((domain) => {
    const commands = domain.commands?.map((def) => {
      if (def.name !== 'internal:unbind' || def.kind !== 'immediate') return def
      const run: typeof def.run = (world, player, params) => {
        const row = world.rowOf(Player, Number((params as { player: number }).player))
        const held = boundNodes(world).filter((node) => row !== 0 && isBoundAt(world, row, node))
        for (const node of held) def.run(world, player, { ...(params as object), node } as never)
        return def.run(world, player, params)
      }
      return { ...def, run }
    })
    return commands ? { ...domain, commands } : domain
  })

/** A single lost answer may go unnoticed, because its player leaves; five cannot. */
const STRIKES_MAX = 5

/** Breaks something outside of the world. */
export interface Saboteur {
  /** Returns whether to break this now; counts as one strike if so. */
  strikes(kind: Canary): boolean
}

export function createSaboteur(
  armed: Canary | undefined,
  isTime: () => boolean,
  strikesMax = STRIKES_MAX,
): Saboteur {
  let strikes = 0
  return {
    strikes(kind) {
      if (kind !== armed || strikes >= strikesMax || !isTime()) return false
      strikes += 1
      return true
    },
  }
}
