/**
 * The pirate radio: messages of crews, and which players overhear them. Messages are limited for
 * each system and in each tick. Source: spec, Events; combat.md sections 13, 16.
 */
import { RADIO, type RadioEvent } from '../../core/catalog/index.ts'
import { emit } from '../../core/event.ts'
import { RADIO_MESSAGES_PER_TICK_MAX, RADIO_QUIET_TICKS } from '../../core/limits.ts'
import { hash32, hashText } from '../../core/rng.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { seePlayer } from '../sensing/model.ts'
import { Ship } from '../ship/state.ts'
import { poiId, poiName, systemId, systemName } from '../travel/model.ts'
import { Location, Poi } from '../travel/state.ts'
import { crewRowIn, isBoss, listeners, npcName, pirateOf } from './model.ts'
import { ATTACK_STANDING, lowerStanding } from './rules.ts'
import { pirateRadio } from './schemas.ts'
import { AIR_TIME, SystemNpcs } from './state.ts'

const LINE_SEED = hashText('npc.radio')

/** A message on the pirate radio. */
interface Message {
  readonly event: RadioEvent
  readonly speaker: string
  readonly system: Eid
  /** Where it happens; 0 for no place in particular. */
  readonly poi: Eid
  /** The player that the message is about; 0 if none. */
  readonly actor: Eid
  /** Durable number of the speaker's ship or system; it seeds the choice of the line. */
  readonly number: number
  readonly operation?: string
  readonly battle?: string
  readonly reason?: string
}

/**
 * Counts a message against the limits of its system and of the tick; returns false if it exceeds
 * one. ours: the limits.
 */
function takeAirTime(world: World, system: Eid): boolean {
  const sent = world.index(AIR_TIME)
  if (sent.tick !== world.tick) Object.assign(sent, { tick: world.tick, count: 0 })
  const { radioTick } = world.write(SystemNpcs)
  const isQuiet = radioTick[system] === 0 || world.tick >= radioTick[system] + RADIO_QUIET_TICKS
  if (!isQuiet || sent.count >= RADIO_MESSAGES_PER_TICK_MAX) return false
  radioTick[system] = world.tick
  sent.count++
  return true
}

/** Returns a player's name if it is visible to everybody, otherwise an empty text. */
const publicName = (view: WorldView, player: Eid): string =>
  player !== 0 && seePlayer(view, 0, player) === 'full' ? usernameOf(view, player) : ''

/** Broadcasts a message of a crew, if the limits allow it and anybody can receive it. */
export function broadcast(world: World, message: Message): void {
  const { event, speaker, system, poi, number } = message
  if (!takeAirTime(world, system)) return
  const row = RADIO[event]
  const rows = listeners(world, system, row.jumps)
  if (rows.length === 0) return
  const crew = crewRowIn(world, system)
  const actor = publicName(world, message.actor)
  const isKnown = poi !== 0 && world.read(Poi).hidden[poi] === 0
  const placeholders: Readonly<Record<string, string>> = {
    name: speaker,
    actor: actor || 'somebody',
    place: isKnown ? poiName(world, poi) : 'a place off the chart',
    system: systemName(world, system),
    crew: crew.name,
  }
  const line = row.lines[hash32(world.seed, world.tick, LINE_SEED, number) % row.lines.length]
  const { operation, battle, reason } = message
  const payload = {
    speaker,
    pirate_name: speaker,
    source: systemName(world, system),
    source_system: systemId(world, system),
    faction_key: crew.key,
    faction_name: crew.name,
    primary_color: crew.primaryColor,
    secondary_color: crew.secondaryColor,
    event,
    event_key: event,
    message: line.replace(/\{(\w+)\}/g, (_, key: string) => placeholders[key] ?? ''),
    provenance: row.provenance,
    category: row.category,
    editorial_class: row.category,
    ...(isKnown ? { source_poi: poiId(world, poi) } : {}),
    ...(actor === '' ? {} : { actor }),
    ...(operation === undefined ? {} : { operation }),
    ...(battle === undefined ? {} : { battle }),
    ...(reason === undefined ? {} : { reason }),
  }
  emit(world, pirateRadio, payload, { kind: 'players', rows })
}

/** Announces to the crew that one of its pirates was destroyed. */
export function announceLoss(world: World, ship: Eid, hunter: Eid): void {
  const { system, poi } = world.read(Location)
  broadcast(world, {
    event: isBoss(world, ship) ? 'boss_fallen' : 'lost',
    speaker: npcName(world, ship),
    system: system[ship],
    poi: poi[ship],
    actor: hunter,
    number: world.read(Ship).seq[ship],
    reason: 'destroyed',
  })
}

/** Announces that a pirate has destroyed or plundered a player's ship. */
export function announceKill(
  world: World,
  killer: Eid,
  victim: Eid,
  event: 'kill' | 'plunder',
): void {
  if (!pirateOf(world, killer)) return
  const { system, poi } = world.read(Location)
  broadcast(world, {
    event,
    speaker: npcName(world, killer),
    system: system[killer],
    poi: poi[killer],
    actor: victim,
    number: world.read(Ship).seq[killer],
  })
}

/** Lets a pirate under attack call for help; the attacker loses standing with the crew. */
export function callForHelp(world: World, pirate: Eid, attacker: Eid, battle: string): void {
  if (!pirateOf(world, pirate)) return
  lowerStanding(world, attacker, pirate, ATTACK_STANDING)
  const { system, poi } = world.read(Location)
  broadcast(world, {
    event: 'mayday',
    speaker: npcName(world, pirate),
    system: system[pirate],
    poi: poi[pirate],
    actor: attacker,
    number: world.read(Ship).seq[pirate],
    battle,
    reason: 'under_attack',
  })
}
