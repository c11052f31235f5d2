/** Handing a facility on, between a faction and its members. Source: crafting.md section 7. */
import { FACILITIES } from '../../core/catalog/index.ts'
import { badFields, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { FACILITIES_RECEIVED_PER_DAY_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { playerById, playerId } from '../account/rules.ts'
import { factionIdOf, factionOf, refusesPermission } from '../faction/rules.ts'
import { dockedBase } from '../travel/rules.ts'
import type { Asked } from './action.ts'
import { Facility, OF_FACTION, OF_PLAYER, Tenant } from './columns.ts'
import { refusesArrears, refusesBusy, refusesMore, refusesSecond, refusesSkill } from './gates.ts'
import { factionOwner, managedHere, ownerOf, playerOwner } from './owners.ts'
import { activeFacility, facilityId, facilityName } from './rules.ts'
import { changeOwner, type Owner } from './store.ts'
import { tellFacility } from './tell.ts'
import { mayBuild } from './types.ts'

const dayOf = (tick: number): number => divFloor(tick, DAY_TICKS)

/** Facilities a player was given today. */
const receivedToday = (view: WorldView, player: Eid): number => {
  const { day, received } = view.read(Tenant)
  return day[player] === dayOf(view.tick) ? received[player] : 0
}

function noteReceived(world: World, player: Eid): void {
  const before = receivedToday(world, player)
  const { day, received } = world.write(Tenant)
  day[player] = dayOf(world.tick)
  received[player] = before + 1
}

/** Refusals: player_not_found, invalid_target, limit_reached, skill_too_low. */
function receiverOf(view: WorldView, player: Eid, row: Row, asked: Asked): Eid | Failure {
  const { faction, base, type } = view.read(Facility)
  const to = asked.player_id === undefined ? player : playerById(view, asked.player_id)
  if (to === 0) return fail('player_not_found')
  const isHere = dockedBase(view, to) === base[row]
  if (factionOf(view, to) !== faction[row] || !isHere) return fail('invalid_target')
  const limit = FACILITIES_RECEIVED_PER_DAY_MAX
  if (receivedToday(view, to) >= limit)
    return fail('limit_reached', { limit, of: 'facilities received a day' })
  return refusesSkill(view, to, type[row]) ?? to
}

/** Refuses what is listed, worked on or owing. */
const refusesHanding = (view: WorldView, row: Row): Failure | undefined =>
  view.read(Facility).listing[row] !== 0
    ? fail('already_listed')
    : (refusesBusy(view, row) ?? refusesArrears(view, row))

/** Refuses an owner who may have no such thing, or no more of it. */
function refusesTaking(view: WorldView, row: Row, to: Owner): Failure | undefined {
  const { type, base } = view.read(Facility)
  const builder = to.kind === OF_FACTION ? 'faction' : 'player'
  if (!mayBuild(FACILITIES[type[row]], builder)) return fail('invalid_target')
  return refusesSecond(view, to, base[row], type[row]) ?? refusesMore(view, to, base[row])
}

function hand(world: World, player: Eid, row: Row, to: Owner): void {
  const said = `Handed on ${facilityName(world, row)}.`
  tellFacility(world, row, player, 'facility_transfer', said)
  changeOwner(world, row, to)
  if (to.kind === OF_PLAYER) noteReceived(world, to.player)
  else tellFacility(world, row, player, 'facility_received', said)
}

export function transfer(
  world: World,
  player: Eid,
  asked: Asked,
): Outcome<Record<string, unknown>> {
  const { direction } = asked
  const row = managedHere(world, player, asked.facility_id ?? '')
  if (typeof row !== 'number') return row
  if (direction !== 'to_faction' && direction !== 'to_player')
    return badFields({ field: 'direction', expected: 'to_faction or to_player' })
  const owner = ownerOf(world, row)
  if ((owner.kind === OF_PLAYER) !== (direction === 'to_faction')) return fail('invalid_target')
  const refused = refusesHanding(world, row)
  if (refused) return refused
  const to =
    direction === 'to_faction' ? toFaction(world, player, row) : toPlayer(world, player, row, asked)
  if ('code' in to) return to
  const barred = refusesTaking(world, row, to)
  if (barred) return barred
  hand(world, player, row, to)
  return ok({
    action: 'transfer',
    direction,
    facility_id: facilityId(world, row),
    new_owner: to.kind === OF_PLAYER ? playerId(world, to.player) : factionIdOf(world, to.faction),
    hint: 'Rent follows the owner.',
  })
}

/** Refusals: not_in_faction, no_permission, no_faction_storage. */
function toFaction(view: WorldView, player: Eid, row: Row): Owner | Failure {
  const refused = refusesPermission(view, player, 'manage_facilities')
  if (refused) return refused
  const faction = factionOf(view, player)
  const { base } = view.read(Facility)
  const store = activeFacility(view, faction, base[row], 'faction_storage')
  return store === 0 ? fail('no_faction_storage') : factionOwner(faction)
}

function toPlayer(view: WorldView, player: Eid, row: Row, asked: Asked): Owner | Failure {
  const receiver = receiverOf(view, player, row, asked)
  return typeof receiver === 'number' ? playerOwner(receiver) : receiver
}
