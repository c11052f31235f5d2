/**
 * Plays scripted newcomers through the missions for new pilots: they accept, do and hand in each
 * step, then work until they can pay for a second hull. Measures the tick at which each of them
 * first sold, fitted, crafted and bought a hull. Source: balance.md sections 3, 11.
 */
import { EMPIRE_IDS } from '../../core/catalog/index.ts'
import { createDice } from '../../core/dice.ts'
import type { World } from '../../core/types.ts'
import { dockedBase } from '../../systems/travel/location-model.ts'
import { type DrivenWorld, driveWorld, type Reply, type Wish } from '../driven-world.ts'
import { CRAFT_STEP, type First, type Pilot, wishOf } from './journey-steps.ts'

const FIRST_OF: Readonly<Record<string, First>> = {
  sell: 'sale',
  install_mod: 'fitting',
  buy_listed_ship: 'hull',
}

export interface Journey {
  readonly driven: DrivenWorld
  readonly pilots: readonly Pilot[]
  /** Refusals by step, command and code. */
  readonly refused: ReadonlyMap<string, number>
}

interface JourneyOptions {
  readonly seed: number
  /** Newcomers of each empire. */
  readonly each: number
  readonly ticksMax: number
}

const ENTITIES_PER_PILOT = 2_000
const ENTITIES_MIN = 10_000
const CHECK_EVERY = 200

function record(world: World, pilot: Pilot, { command, outcome }: Reply): void {
  if (!outcome.ok) {
    pilot.restTick = world.tick + 1
    if (command === 'craft') pilot.plan = undefined
    if (outcome.code === 'no_cargo_space') pilot.isFull = true
    return
  }
  const first = FIRST_OF[command]
  if (first) pilot.ticks[first] ??= world.tick
  if (command !== 'complete_mission') return
  if (pilot.step === CRAFT_STEP) pilot.ticks.craft ??= world.tick
  pilot.handedIn.push(world.tick)
  pilot.step++
}

/** Plays newcomers of all empires until all own a second hull, or time is up. */
export async function playJourney({ seed, each, ticksMax }: JourneyOptions): Promise<Journey> {
  const maxEntities = Math.max(ENTITIES_MIN, each * EMPIRE_IDS.length * ENTITIES_PER_PILOT)
  const driven = await driveWorld({ seed, maxEntities, checkEvery: CHECK_EVERY })
  const { world } = driven
  const dice = createDice(seed)
  const pilots = Array.from({ length: each * EMPIRE_IDS.length }, (_, index): Pilot => {
    const empire = EMPIRE_IDS[index % EMPIRE_IDS.length]
    const player = driven.join(`Newcomer ${index}`, empire)
    const home = dockedBase(world, player)
    const bot = { player, role: 'miner', home, dice: dice.branch(`bot ${index}`) } as const
    const start = { restTick: 0, step: 1, nextDoor: 0, isDigging: false, isFull: false }
    return { ...bot, ...start, empire, ticks: {}, handedIn: [] }
  })
  const byPlayer = new Map(pilots.map((pilot) => [pilot.player, pilot]))
  const refused = new Map<string, number>()
  for (let tick = 1; tick <= ticksMax; tick++) {
    const wishes = pilots.flatMap((pilot): Wish[] => {
      if (pilot.ticks.hull !== undefined || pilot.restTick > world.tick) return []
      const next = driven.isFree(pilot.player, 'undock') ? wishOf(world, pilot) : undefined
      return next ? [next] : []
    })
    for (const reply of driven.tick(wishes)) {
      const pilot = byPlayer.get(reply.player)
      if (!pilot) continue
      if (!reply.outcome.ok) {
        const key = `step ${pilot.step} ${reply.command} ${reply.outcome.code}`
        refused.set(key, (refused.get(key) ?? 0) + 1)
      }
      record(world, pilot, reply)
    }
    await driven.settled()
    if (pilots.every(({ ticks }) => ticks.hull !== undefined)) break
  }
  return { driven, pilots, refused }
}

/** Returns the tick by which nine of ten pilots had a first; infinite where fewer had it. */
export function tickOfNineInTen(pilots: readonly Pilot[], first: First): number {
  const ticks = pilots.map((pilot) => pilot.ticks[first] ?? Number.POSITIVE_INFINITY)
  return ticks.sort((a, b) => a - b)[Math.ceil(ticks.length * 0.9) - 1]
}
