/**
 * The pirate radio: what crews say to each other, and who overhears it. A system is heard once in
 * a while, and so much in a tick at most. Source: spec, Events; combat.md sections 13, 16.
 *
 * The crews of lawless space: which of them a system belongs to, where they sit, and what they
 * think of players.
 */
import { assert } from '../../core/assert.ts'
import { CREWS, RADIO, type RadioEvent } from '../../core/catalog/index.ts'
import { emit } from '../../core/event.ts'
import { RADIO_MESSAGES_PER_TICK_MAX, RADIO_QUIET_TICKS } from '../../core/limits.ts'
import { clamp } from '../../core/math.ts'
import { hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { logAction } from '../log/rules.ts'
import { seePlayer } from '../sensing/model.ts'
import { recompute } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { lanesFrom, poiId, poiName, systemId, systemName } from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import { crewIn, crewRowIn, isBoss, listeners, npcOf, PIRATE } from './model.ts'
import { pirateRadio } from './schemas.ts'
import { CREWS_WIDTH, Helm, Npc, Outlaw, SAID, SystemNpcs } from './state.ts'

/** Source: combat.md section 13. */
export const ATTACK_STANDING = -2
export const KILL_STANDING = -5
const STANDING_MAX = 100

/**
 * Writes for each system whose it is, from the strongholds outwards; of two as near the first.
 * Derived from the chart.
 */
export function rebuildCrews(world: World): void {
  const { crew } = world.write(SystemNpcs)
  const { name, stronghold } = world.read(StarSystem)
  const systems = Array.from({ length: world.highOf(StarSystem) }, (_, i) => i + 1)
  const seats = systems.filter((system) => stronghold[system] === 1)
  const crewOfSeat = (system: Eid): number => {
    const named = world.texts.get(name[system])
    return Math.max(
      0,
      CREWS.findIndex((row) => row.stronghold === named),
    )
  }
  const reached = new Set<Eid>(seats)
  for (const seat of seats) crew[seat] = crewOfSeat(seat)
  let ring = [...seats].sort((a, b) => crew[a] - crew[b])
  while (ring.length > 0) {
    const next: Eid[] = []
    for (const system of ring) {
      for (const to of lanesFrom(world, system)) {
        if (reached.has(to)) continue
        reached.add(to)
        crew[to] = crew[system]
        next.push(to)
      }
    }
    ring = next
  }
}

/** Changes what a crew thinks of a player, within its bounds; the action log has it. */
export function changeStanding(world: World, player: Eid, crew: number, points: number): void {
  const { standing } = world.write(Outlaw)
  const at = player * CREWS_WIDTH + crew
  const before = standing[at]
  standing[at] = clamp(before + points, -STANDING_MAX, STANDING_MAX)
  const change = standing[at] - before
  if (change === 0) return
  const { key, name } = CREWS[crew]
  const said = `Standing with ${name} changed by ${change} to ${standing[at]}.`
  const data = { crew: key, change, standing: standing[at] }
  logAction(world, player, 'reputation', 'pirate_standing', said, data)
}

/** Lowers the standing of a player with the crew that a ship of the server belongs to. */
export function resent(world: World, player: Eid, pirate: Eid, points: number): void {
  const npc = world.read(Helm).npc[pirate]
  const { kind, system } = world.read(Npc)
  if (npc === 0 || kind[npc] !== PIRATE || world.read(Ship).owner[pirate] !== 0) return
  changeStanding(world, player, crewIn(world, system[npc]), points)
}

const LINE = hashText('npc.radio')

/** Something to say on the radio. */
export interface Message {
  readonly event: RadioEvent
  /** Who speaks. */
  readonly speaker: string
  readonly system: Eid
  /** Where it happens; 0 for nowhere in particular. */
  readonly poi: Eid
  /** The player it is about; 0 nobody. */
  readonly actor: Eid
  /** Durable number that the choice of words hangs on. */
  readonly number: number
  readonly operation?: string
  readonly battle?: string
  readonly reason?: string
}

/** ours: a crew that talks without end is heard by nobody. False when there is no air time. */
function takeAirTime(world: World, system: Eid): boolean {
  const said = world.index(SAID)
  if (said.tick !== world.tick) Object.assign(said, { tick: world.tick, count: 0 })
  const { radioTick } = world.write(SystemNpcs)
  const isQuiet = radioTick[system] === 0 || world.tick >= radioTick[system] + RADIO_QUIET_TICKS
  if (!isQuiet || said.count >= RADIO_MESSAGES_PER_TICK_MAX) return false
  radioTick[system] = world.tick
  said.count++
  return true
}

/** Name of a player as anybody may know it. */
const nameOf = (view: WorldView, player: Eid): string =>
  player !== 0 && seePlayer(view, 0, player) === 'full' ? usernameOf(view, player) : ''

/** Says something on the radio of a crew, if there is air time and anybody to hear it. */
export function broadcast(world: World, message: Message): void {
  const { event, speaker, system, poi, number } = message
  if (!takeAirTime(world, system)) return
  const row = RADIO[event]
  const rows = listeners(world, system, row.jumps)
  if (rows.length === 0) return
  const crew = crewRowIn(world, system)
  const actor = nameOf(world, message.actor)
  const isKnown = poi !== 0 && world.read(Poi).hidden[poi] === 0
  const words: Readonly<Record<string, string>> = {
    name: speaker,
    actor: actor || 'somebody',
    place: isKnown ? poiName(world, poi) : 'a place off the chart',
    system: systemName(world, system),
    crew: crew.name,
  }
  const line = row.lines[hash32(world.seed, world.tick, LINE, number) % row.lines.length]
  const { operation, battle, reason } = message
  const payload = {
    ...{ speaker, pirate_name: speaker, source: systemName(world, system) },
    ...{ source_system: systemId(world, system), faction_key: crew.key },
    ...{ faction_name: crew.name, primary_color: crew.primaryColor },
    ...{ secondary_color: crew.secondaryColor, event, event_key: event },
    message: line.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? ''),
    ...{ provenance: row.provenance, category: row.category, editorial_class: row.category },
    ...(isKnown ? { source_poi: poiId(world, poi) } : {}),
    ...(actor === '' ? {} : { actor }),
    ...(operation === undefined ? {} : { operation }),
    ...(battle === undefined ? {} : { battle }),
    ...(reason === undefined ? {} : { reason }),
  }
  emit(world, pirateRadio, payload, { kind: 'players', rows })
}

/** Ticks until a stronghold has a boss again. Source: combat.md section 13. */
export const BOSS_TICKS = 8_640

export interface NewNpc {
  readonly kind: number
  readonly type: number
  readonly system: Eid
}

/** Puts an NPC at the helm of a ship without an owner, and gives the ship its figures. */
export function enlist(world: World, ship: Eid, plan: NewNpc): Row {
  assert(world.read(Ship).owner[ship] === 0, `ship ${ship} has an owner and an NPC`)
  assert(npcOf(world, ship) === 0, `ship ${ship} has an NPC already`)
  const npc = world.take(Npc)
  const row = world.write(Npc)
  const { firstNpc } = world.write(SystemNpcs)
  row.ship[npc] = ship
  row.kind[npc] = plan.kind
  row.type[npc] = plan.type
  row.system[npc] = plan.system
  row.next[npc] = firstNpc[plan.system]
  if (row.next[npc] !== 0) row.previous[row.next[npc]] = npc
  firstNpc[plan.system] = npc
  world.write(Helm).npc[ship] = npc
  recompute(world, ship)
  return npc
}

/** Takes the NPC off its ship, which keeps the figures of its class: destroyed, or captured. */
export function dismiss(world: World, ship: Eid): void {
  const npc = npcOf(world, ship)
  assert(npc !== 0, `ship ${ship} has no NPC`)
  const row = world.write(Npc)
  const [next, previous] = [row.next[npc], row.previous[npc]]
  if (isBoss(world, ship))
    world.write(SystemNpcs).bossTick[row.system[npc]] = world.tick + BOSS_TICKS
  if (previous === 0) world.write(SystemNpcs).firstNpc[row.system[npc]] = next
  else row.next[previous] = next
  if (next !== 0) row.previous[next] = previous
  world.write(Helm).npc[ship] = 0
  world.release(Npc, npc)
  recompute(world, ship)
}
