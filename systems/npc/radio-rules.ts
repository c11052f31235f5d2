/**
 * The pirate radio: what crews say to each other, and who overhears it. A system is heard once in a
 * while, and so much in a tick at most. Source: spec, Events; combat.md sections 13, 16.
 */
import { RADIO, type RadioEvent } from '../../core/catalog/index.ts'
import { emit } from '../../core/event.ts'
import { RADIO_MESSAGES_PER_TICK_MAX, RADIO_QUIET_TICKS } from '../../core/limits.ts'
import { hash32, hashText } from '../../core/rng.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { usernameOf } from '../account/rules.ts'
import { seePlayer } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { hasSpecial } from '../ship/rules.ts'
import { Location, Poi, StarSystem } from '../travel/columns.ts'
import { lanesFrom, poiId, poiName, poisOf, systemId, systemName } from '../travel/rules.ts'
import { Haunt } from './columns.ts'
import { crewRowIn } from './crew-rules.ts'
import { pirateRadio } from './events.ts'

const LINE = hashText('npc.radio')
const SPECIAL = 'pirate_radio'

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

/** Messages of this tick: memory of the batch, empty at its start. */
const SAID = defineIndex('npc.radio', () => ({ tick: -1, count: 0 }))

/** Systems within so many jumps, the nearest first. */
function within(view: WorldView, system: Eid, jumps: number): Eid[] {
  const found = [system]
  const seen = new Set<Eid>(found)
  let from = 0
  for (let ring = 0; ring < jumps; ring++) {
    const end = found.length
    for (; from < end; from++) {
      for (const to of lanesFrom(view, found[from])) {
        if (seen.has(to)) continue
        seen.add(to)
        found.push(to)
      }
    }
  }
  return found
}

/** Players online in a system whose ships have a receiver. */
function listenersIn(view: WorldView, system: Eid): Eid[] {
  const { owner } = view.read(Ship)
  const { ship: flown, bound } = view.read(Player)
  const { nextHere } = view.read(Location)
  const heads = poisOf(view, system).map((poi) => view.read(Poi).firstShip[poi])
  const found: Eid[] = []
  for (const head of [...heads, view.read(StarSystem).firstTraveller[system]]) {
    for (let ship = head; ship !== 0; ship = nextHere[ship]) {
      const player = owner[ship]
      if (player === 0 || flown[player] !== ship || bound[player] === 0) continue
      if (hasSpecial(view, ship, SPECIAL)) found.push(player)
    }
  }
  return found
}

/** Players who hear what is said in a system, in the order of their numbers. */
export function listeners(view: WorldView, system: Eid, jumps: number): Eid[] {
  const { seq } = view.read(Player)
  return within(view, system, jumps)
    .flatMap((near) => listenersIn(view, near))
    .sort((a, b) => seq[a] - seq[b])
}

/** ours: a crew that talks without end is heard by nobody. False when there is no air time. */
function takeAirTime(world: World, system: Eid): boolean {
  const said = world.index(SAID)
  if (said.tick !== world.tick) Object.assign(said, { tick: world.tick, count: 0 })
  const { radioTick } = world.write(Haunt)
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
