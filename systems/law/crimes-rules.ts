/**
 * Charging crimes with a bounty, a loss of reputation and a warrant. Attacks on a victim are
 * charged once per battle, and once more if they kill. The callers determine who attacks whom.
 * Source: combat.md section 12.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import type { TableDef } from '../../core/columns.ts'
import { OFFENCES_PER_PLAYER_MAX } from '../../core/limits.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { Battle, Participant, ShipCombat } from '../combat/state.ts'
import { crimeOf, type Incident, systemFields, type Victim } from './model.ts'
import { addBounty, loseReputation, raiseWarrant, sendNotice } from './rules.ts'
import { CHARGED, CriminalRecord, OFFENCES_OF, Offence, VICTIM_KINDS, Warrant } from './state.ts'

/** Tables that charging an offence writes. */
export const CHARGE_WRITES: readonly TableDef[] = [CriminalRecord, Offence, Player, Warrant]

/** Ticks after the battle in which the victim of an attack may lawfully retaliate. */
const RETALIATION_TICKS = 30
/** Factor of the reputation lost for an attack on a station. Source: combat.md section 12. */
const STATION_FACTOR = 3

/* Offences */

/** Returns whether an offence was against this victim in the battle with this durable number. */
function isAgainst(view: WorldView, row: Row, victim: Victim, battle: number): boolean {
  const offence = view.read(Offence)
  return (
    offence.battle[row] === battle &&
    offence.number[row] === victim.number &&
    VICTIM_KINDS[offence.kind[row]] === victim.kind
  )
}

/** Returns the offence against a victim in the battle with this durable number; 0 for none. */
function offenceOf(view: WorldView, offender: Eid, victim: Victim, battle: number): Row {
  return OFFENCES_OF.rows(view, offender).find((row) => isAgainst(view, row, victim, battle)) ?? 0
}

/** Records an offence. Returns 0 if there is no room for it, and then it is not charged. */
function recordOffence(world: World, offender: Eid, victim: Victim, battle: number): Row {
  const found = offenceOf(world, offender, victim, battle)
  if (found !== 0) return found
  if (world.roomIn(Offence) === 0) return 0
  if (OFFENCES_OF.rows(world, offender).length >= OFFENCES_PER_PLAYER_MAX) return 0
  const row = world.take(Offence)
  const columns = world.write(Offence)
  columns.kind[row] = VICTIM_KINDS.indexOf(victim.kind)
  columns.number[row] = victim.number
  columns.player[row] = victim.player
  columns.battle[row] = battle
  columns.tick[row] = world.tick
  OFFENCES_OF.link(world, row, offender)
  return row
}

/**
 * Charges an incident of one kind, a bit of CHARGED, once. Returns whether it is a crime, also if
 * it was charged before.
 */
function charge(world: World, incident: Incident, battle: number, bit: number): boolean {
  const { offender, victim, system } = incident
  const empire = crimeOf(world, incident)
  if (empire < 0) return false
  const row = recordOffence(world, offender, victim, battle)
  if (row === 0) return true
  const { charged, until } = world.write(Offence)
  until[row] = world.tick + RETALIATION_TICKS
  if ((charged[row] & bit) !== 0) return true
  charged[row] |= bit
  const { policy, name } = EMPIRES[empire]
  const isKill = bit === CHARGED.kill
  const factor = victim.kind === 'station' ? STATION_FACTOR : 1
  const points = factor * (isKill ? policy.rep_penalty_kill : policy.rep_penalty_attack)
  const amount = addBounty(
    world,
    offender,
    empire,
    isKill ? policy.bounty_kill : policy.bounty_attack,
  )
  const lost = loseReputation(world, offender, empire, points)
  raiseWarrant(world, offender, system)
  const crime = isKill ? 'the destruction' : 'the attack'
  const message = `${name} charges you ${counted(amount, 'credit')} for ${crime} in its space.`
  const change = { amount, reputation_change: lost === 0 ? 0 : -lost }
  sendNotice(world, offender, empire, {
    kind: 'crime',
    message,
    ...change,
    ...systemFields(world, system),
  })
  return true
}

/** Returns the durable number of a battle; 0 for none. */
const battleNumber = (view: WorldView, battle: Row): number =>
  battle === 0 ? 0 : view.read(Battle).seq[battle]

/**
 * Charges the first attack on this victim in this battle: bounty, reputation (three times for a
 * station), a warrant. Returns whether it is a crime, which makes the attacker an aggressor from
 * the next tick on; a justified attack does not. Called in phase engage; `battle` is the one that
 * the attack opened or joined.
 */
export function chargeAttack(world: World, incident: Incident, battle: Row): boolean {
  assert(incident.victim.number > 0, 'a charged attack has no victim')
  return charge(world, incident, battleNumber(world, battle), CHARGED.attack)
}

/**
 * Charges the destruction of a victim. For players and prizes, only offenders who attacked them
 * unlawfully in that battle are charged, since others defend themselves. Destroying officials and
 * stations is always charged. Returns whether it is a crime.
 */
export function chargeKill(world: World, incident: Incident, battle: Row): boolean {
  const { offender, victim } = incident
  const number = battleNumber(world, battle)
  const isAlways = victim.kind === 'official' || victim.kind === 'station'
  if (offender === 0) return false
  if (!isAlways && offenceOf(world, offender, victim, number) === 0) return false
  return charge(world, incident, number, CHARGED.kill)
}

/* Expiry */

/** Returns whether the offender still fights in the battle of the offence. */
function isStillFighting(view: WorldView, row: Row): boolean {
  const { offender, battle } = view.read(Offence)
  const part = view.read(ShipCombat).participant[view.read(Player).ship[offender[row]]]
  return part !== 0 && view.read(Battle).seq[view.read(Participant).battle[part]] === battle[row]
}

/** Removes offences that no longer justify retaliation. O(offences). */
export function expireOffences(world: World): void {
  if (world.countOf(Offence) === 0) return
  const { alive, until } = world.write(Offence)
  for (let row = 1; row <= world.highOf(Offence); row++) {
    if (alive[row] === 0 || until[row] >= world.tick) continue
    if (isStillFighting(world, row)) until[row] = world.tick + RETALIATION_TICKS
    else OFFENCES_OF.remove(world, row)
  }
}
