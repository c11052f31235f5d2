/** Claiming a prize: crew boards it and flies it to a base. Source: combat.md sections 11, 17. */
import { mutation } from '../../core/command.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { PRIZES_CLAIMED_MAX, SHIPS_PER_PLAYER_MAX } from '../../core/limits.ts'
import { choice, obj, optional, ref, str, words } from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseName } from '../base/model.ts'
import { ShipCombat } from '../combat/state.ts'
import { factionOf } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { logAction } from '../log/rules.ts'
import { reserveRoom } from '../personnel/model.ts'
import { movePeople, reserveRefusal } from '../personnel/rules.ts'
import { activeShip, shipName, shipsOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { UNDOCKED } from '../travel/needs.ts'
import { findDestination, findPrize, reachRefusal } from './commands.ts'
import { statusOf } from './model.ts'
import { notifyPrize, setClaimant, setStatus, wakePrize } from './rules.ts'
import { claimedPrizeSchema } from './schemas.ts'
import { PlayerPrizes, Prize } from './state.ts'
import { renderClaimed } from './views.ts'

const DISPOSITIONS = ['aboard', 'faction_reserve'] as const

interface ClaimParams {
  readonly prize_id: string
  readonly destination_base_id: string
  readonly crew_disposition?: (typeof DISPOSITIONS)[number]
}

/** Returns how many fit crew members a prize lacks to fly at full speed. */
function crewNeeded(view: WorldView, prize: Row): number {
  const { crewMin, crewFit } = view.read(Ship)
  const hull = view.read(Prize).ship[prize]
  return Math.max(0, crewMin[hull] - crewFit[hull])
}

/**
 * Refuses a prize that the player may not claim. Refusals: not_owner, not_at_prize, in_combat,
 * claim_reserved.
 */
function claimRefusal(
  view: WorldView,
  player: Eid,
  prize: Row,
): Failure<'claim_reserved' | 'in_combat' | 'not_at_prize' | 'not_owner'> | undefined {
  const { ship, captor, claimUntil } = view.read(Prize)
  if (statusOf(view, prize) !== 'unclaimed') return fail('not_owner')
  // A prize in flight is refused with the same code: it is not at the player's place either.
  if (reachRefusal(view, player, prize)) return fail('not_at_prize')
  if (view.read(ShipCombat).participant[ship[prize]] !== 0) {
    return fail('in_combat', undefined, 'The prize is in a battle; wait until it is over.')
  }
  const isReserved = captor[prize] !== player && view.tick <= claimUntil[prize]
  return isReserved ? fail('claim_reserved', { until_tick: claimUntil[prize] }) : undefined
}

/**
 * Refuses a player who has too many prizes or ships, or too few spare crew members. Refusals:
 * limit_reached, ship_limit, insufficient_personnel.
 */
function capacityRefusal(
  view: WorldView,
  player: Eid,
  prize: Row,
): Failure<'insufficient_personnel' | 'limit_reached' | 'ship_limit'> | undefined {
  const { claimed } = view.read(PlayerPrizes)
  if (claimed[player] >= PRIZES_CLAIMED_MAX) {
    return fail('limit_reached', { max: PRIZES_CLAIMED_MAX, of: 'claimed prizes' })
  }
  if (shipsOf(view, player).length + claimed[player] >= SHIPS_PER_PLAYER_MAX) {
    return fail('ship_limit', { max: SHIPS_PER_PLAYER_MAX })
  }
  const need = crewNeeded(view, prize)
  // One crew member must stay aboard the player's own ship.
  const have = Math.max(0, view.read(Ship).crewFit[activeShip(view, player)] - 1)
  return have < need ? fail('insufficient_personnel', { need, have }) : undefined
}

/**
 * Refuses a base where the player's faction has no crew reserve, or no berths in it. Refusals:
 * not_in_faction, no_faction_storage, limit_reached, no_berths.
 */
function dispositionRefusal(
  view: WorldView,
  player: Eid,
  prize: Row,
  base: Eid,
): Failure<'limit_reached' | 'no_berths' | 'no_faction_storage' | 'not_in_faction'> | undefined {
  const faction = factionOf(view, player)
  if (faction === 0) return fail('not_in_faction')
  const refused = reserveRefusal(view, faction, base)
  if (refused) return refused
  const { crew } = reserveRoom(view, faction, base)
  const need = crewNeeded(view, prize) + view.read(Ship).crewFit[view.read(Prize).ship[prize]]
  const message =
    `The crew reserve there has room for ${crew}, and ${need} would come; leave them aboard ` +
    '(crew_disposition aboard), or name another base.'
  return crew < need ? fail('no_berths', { need, berths: crew }, message) : undefined
}

const claimResult = (view: WorldView, prize: Row, crew: number, message: string) =>
  ok({ action: 'claim_prize', ...renderClaimed(view, prize), crew_moved: crew, message })

/** Moves crew to the prize and starts its journey to the base. */
function claim(world: World, player: Eid, prize: Row, base: Eid) {
  const hull = world.read(Prize).ship[prize]
  const crew = crewNeeded(world, prize)
  if (crew > 0) movePeople(world, activeShip(world, player), hull, { fitCrew: crew })
  setClaimant(world, prize, player)
  world.write(Prize).destination[prize] = base
  setStatus(world, prize, 'recovering')
  wakePrize(world, prize)
  notifyPrize(world, prize, 'recovering')
  const name = shipName(world, hull)
  const message =
    crew === 0
      ? `Claimed ${name}; its own crew takes it home.`
      : `Claimed ${name}; ${counted(crew, 'crew member')} ${crew === 1 ? 'takes' : 'take'} it home.`
  logAction(world, player, 'salvage', 'claim_prize', message)
  const next = say`{get_status} shows it on its way; once docked at ${baseName(world, base)} it is a ship of yours, to fly, sell or scrap there.`
  return claimResult(world, prize, crew, `${message} ${next}`)
}

export const claimPrize = mutation({
  name: 'claim_prize',
  v2: {
    tool: 'game_salvage',
    action: 'claim_prize',
    rename: { prize_id: 'id', destination_base_id: 'target' },
  },
  summary: 'Claim a captured ship at your location; some of your crew fly it to a base.',
  category: 'salvage',
  params: obj({
    destination_base_id: ref(
      'base',
      str('Base to take the prize to.', { min: 1, example: 'sol_station' }),
    ),
    prize_id: ref('prize', str('The prize, at your location.', { min: 1 })),
    crew_disposition: optional(
      choice('Where the crew goes once the prize is home; aboard by default.', DISPOSITIONS),
    ),
  }),
  result: claimedPrizeSchema,
  needs: [UNDOCKED],
  changes: ['ship', 'location'],
  errors: words(
    'prize_not_found not_owner not_at_prize claim_reserved in_combat',
    'insufficient_personnel station_not_found invalid_base limit_reached ship_limit not_in_faction',
    'no_faction_storage no_berths',
  ),
  order: 'plain',
  run(world, player, params: ClaimParams) {
    const found = findPrize(world, player, params.prize_id)
    if (!found.ok) return found
    const prize = found.result
    const target = findDestination(world, player, prize, params.destination_base_id)
    const { claimant, destination } = world.read(Prize)
    if (claimant[prize] === player && target.ok && destination[prize] === target.result) {
      return claimResult(
        world,
        prize,
        0,
        'You have already claimed this prize, and it is on its way to that base.',
      )
    }
    if (claimant[prize] === player && target.ok) {
      return fail(
        'invalid_base',
        undefined,
        say`This prize of yours is on its way to another base; redirect it with {service_prize}.`,
      )
    }
    const refused = claimRefusal(world, player, prize)
    if (refused) return refused
    if (!target.ok) return target
    const base = target.result
    const toReserve = params.crew_disposition === 'faction_reserve'
    const barred =
      (toReserve ? dispositionRefusal(world, player, prize, base) : undefined) ??
      capacityRefusal(world, player, prize)
    if (barred) return barred
    const { seq } = world.read(Faction)
    world.write(Prize).reserve[prize] = toReserve ? seq[factionOf(world, player)] : 0
    return claim(world, player, prize, base)
  },
})
