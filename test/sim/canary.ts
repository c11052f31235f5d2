/**
 * Bugs on purpose, to test the tester: a domain that exists only here, or a saboteur on the way
 * from storage to the players, breaks one promise. The simulation must find each kind.
 */
import { Stack } from '../../core/goods.ts'
import { Account } from '../../core/ledger.ts'
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { Player } from '../../systems/account/state.ts'

export const CANARIES = {
  credits: 'credits out of nothing: one side of a posting is missing (I1)',
  items: 'a stack grows by itself (I2)',
  reference: 'a player flies a ship that is not there (I6)',
  hidden: 'state outside of the world decides: a replay comes out otherwise (I5)',
  lost_event: 'main forgets to send an event (I10)',
  lost_answer: 'the world forgets to answer a mutation',
  double_answer: 'a socket gets an answer twice',
  wrong_id: 'an answer carries the request_id of another player (I13)',
  early_publish: 'a batch is published before its row is durable (I4)',
  lost_row: 'a row is acknowledged and not kept (I4)',
} as const
export type Canary = keyof typeof CANARIES
export const CANARY_NAMES = Object.keys(CANARIES) as Canary[]

const firstAlive = (alive: ArrayLike<number>, high: number): number => {
  for (let row = high; row > 0; row--) if (alive[row] === 1) return row
  return 0
}

/** Counts ticks over all worlds of this process: what no rule may do. */
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

/** A domain that bites from a tick on. */
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

/** One lost answer may be that of a player who leaves; a few are not. */
const STRIKES_MAX = 5

/** Breaks something outside of the world. */
export interface Saboteur {
  /** True when this is the moment to do that. */
  strikes(kind: Canary): boolean
}

export function createSaboteur(armed: Canary | undefined, isTime: () => boolean): Saboteur {
  let strikes = 0
  return {
    strikes(kind) {
      if (kind !== armed || strikes >= STRIKES_MAX || !isTime()) return false
      strikes += 1
      return true
    },
  }
}
