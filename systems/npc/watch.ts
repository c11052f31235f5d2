/**
 * What the ships of the empires do: patrols keep watch and stand by whom pirates attack, traders go
 * from place to place, customs lie where one arrives. ours: the sheets name them and leave the rest
 * open.
 */
import { empireNpcIndex } from '../../core/catalog/index.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Fighting, PARTICIPANT_KINDS, Participant } from '../combat/columns.ts'
import { areHostile, battleIn, wishToEngage } from '../combat/rules.ts'
import { participantsOf } from '../combat/views.ts'
import { Ship } from '../ship/columns.ts'
import { AT_POI, Location, Poi } from '../travel/columns.ts'
import { poisOf } from '../travel/rules.ts'
import { Npc } from './columns.ts'
import { thinkAt } from './think.ts'
import { flyTo, LOOK_TICKS, mend } from './ways.ts'

const PATROL = empireNpcIndex('patrol')
const TRADER = empireNpcIndex('trader')
const WAY = hashText('npc.empire_way')
/** Looks after which a trader sails on, and a patrol makes its round, in one of so many cases. */
const LOOKS_PER_WAY: Readonly<Record<number, number>> = { [PATROL]: 12, [TRADER]: 4 }

/** Places that traders and patrols call at. */
function callsOf(view: WorldView, system: Eid): readonly Eid[] {
  const { hidden, class: kind } = view.read(Poi)
  return poisOf(view, system).filter(
    (poi) => hidden[poi] === 0 && view.texts.get(kind[poi]) !== 'arena',
  )
}

/**
 * The side of a battle that stands against pirates alone, and is no pirates' itself: whom a patrol
 * may help without a quarrel of its own. 0 none.
 */
export function sideToHelp(view: WorldView, battle: Row): number {
  const { kind, side } = view.read(Participant)
  const rows = participantsOf(view, battle)
  const isPirates = (row: Row): boolean => PARTICIPANT_KINDS[kind[row]] === 'pirate'
  const sides = [...new Set(rows.map((row) => side[row]))].sort((a, b) => a - b)
  return (
    sides.find((own) => {
      const foes = rows.filter((row) => areHostile(view, battle, own, side[row]))
      const isOwn = rows.some((row) => side[row] === own && isPirates(row))
      return foes.length > 0 && foes.every(isPirates) && !isOwn
    }) ?? 0
  )
}

/** A patrol joins whom pirates have attacked in its system. True when it will. */
function help(world: World, npc: Row): boolean {
  const { ship, system } = world.read(Npc)
  const battle = battleIn(world, system[npc])
  if (battle === 0) return false
  const side = sideToHelp(world, battle)
  if (side === 0) return false
  wishToEngage(world, ship[npc], battle, side)
  return true
}

/** What the ships of the empires do whose turn it is. */
export function keepWatch(world: World, npcs: readonly Row[]): void {
  const { ship, system, type, thinkTick } = world.read(Npc)
  const { state, poi } = world.read(Location)
  const { hull, hullMax, seq } = world.read(Ship)
  for (const npc of npcs) {
    if (thinkTick[npc] !== world.tick) continue
    const own = ship[npc]
    thinkAt(world, npc, world.tick + LOOK_TICKS)
    if (state[own] !== AT_POI || world.read(Fighting).participant[own] !== 0) continue
    if (hull[own] < hullMax[own]) mend(world, own)
    if (type[npc] === PATROL && help(world, npc)) continue
    const looks = LOOKS_PER_WAY[type[npc]]
    if (looks === undefined) continue
    const lot = hash32(world.seed, world.tick, WAY, seq[own])
    if (drawBelow(looks, lot) !== 0) continue
    const others = callsOf(world, system[npc]).filter((at) => at !== poi[own])
    if (others.length === 0) continue
    const ticks = flyTo(world, own, others[lot % others.length])
    thinkAt(world, npc, world.tick + ticks + LOOK_TICKS)
  }
}
