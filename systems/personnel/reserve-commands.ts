/**
 * Moving people: between ships, and between a ship and the reserve of its faction. Source: ships.md
 * sections 4, 10; newer.md section 5.
 */
import { mutation } from '../../core/command.ts'
import { type Failure, fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import { balanceOf, post } from '../../core/ledger.ts'
import { PEOPLE_MAX } from '../../core/limits.ts'
import { choice, int, obj, optional, str, words } from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { playerById, playerId, usernameOf } from '../account/model.ts'
import { baseId, baseName, baseTreasury, hasService } from '../base/model.ts'
import { AGGRESSION_TICKS } from '../combat/damage-kernels.ts'
import { participantOf } from '../combat/model.ts'
import { ShipCombat } from '../combat/state.ts'
import {
  factionIdOf,
  factionOf,
  memberRefusal,
  permissionRefusal,
  treasuryOf,
} from '../faction/model.ts'
import { recordStoreMove } from '../faction/rules.ts'
import { logAction } from '../log/rules.ts'
import { prizeById, prizeId, prizeOf } from '../prize/model.ts'
import { wakePrize } from '../prize/rules.ts'
import { Prize } from '../prize/state.ts'
import { activeShip, shipById, shipId, shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { dockedBase } from '../travel/location-model.ts'
import { AT_PLACE, DOCKED } from '../travel/needs.ts'
import { areBeside, findAlly, invalidTarget, notifyAlly } from './commands.ts'
import { berthsOf, negated, peopleOf, reserveOf, reserveRoom } from './model.ts'
import { changePeople, changeReserve, movePeople, reserveRefusal } from './rules.ts'
import { reserveSchema, transferSchema } from './schemas.ts'
import { type People, Pools, PRICES } from './state.ts'
import { renderCounts, renderState } from './views.ts'

const ACTIONS = ['status', 'recruit', 'deposit', 'withdraw'] as const
type Action = (typeof ACTIONS)[number]

/** A docked member with the reserve that they use: that of their faction at the base. */
interface ReserveAccess {
  readonly player: Eid
  readonly faction: Row
  readonly base: Eid
}

const peopleText = ({ fitCrew, fitMarines, injuredCrew, injuredMarines }: People): string =>
  `${fitCrew + injuredCrew} crew and ${counted(fitMarines + injuredMarines, 'marine')}`

/** Refuses a command in which all numbers of people are 0. Refusal: invalid_payload. */
const nobodyRefusal = (people: People): Failure<'invalid_payload'> | undefined =>
  Object.values(people).every((number) => number === 0)
    ? invalidFields({ field: 'fit_crew', expected: 'a number of people above 0' })
    : undefined

/** Refuses more people than there is room for. Refusal: no_berths. */
const berthsRefusal = (need: People, room: { readonly crew: number; readonly marines: number }) => {
  const isFull =
    need.fitCrew + need.injuredCrew > room.crew ||
    need.fitMarines + need.injuredMarines > room.marines
  const message = `There is room for ${room.crew} crew and ${room.marines} marines; ask for fewer.`
  return isFull ? fail('no_berths', { berths: room }, message) : undefined
}

/**
 * Refuses to move more people than the ship can spare: one fit crew member must stay. Refusal:
 * insufficient_personnel.
 */
function shortageRefusal(aboard: People, people: People) {
  const spare = { ...aboard, fitCrew: Math.max(0, aboard.fitCrew - 1) }
  return isShort(spare, people)
    ? fail('insufficient_personnel', { have: renderCounts(aboard) })
    : undefined
}

const isShort = (have: People, need: People): boolean =>
  need.fitCrew > have.fitCrew ||
  need.fitMarines > have.fitMarines ||
  need.injuredCrew > have.injuredCrew ||
  need.injuredMarines > have.injuredMarines

function recordMove(
  world: World,
  { faction, player, base }: ReserveAccess,
  action: string,
  summary: string,
) {
  recordStoreMove(world, { faction, player, action, summary, base })
}

/**
 * Hires people for the reserve. Refusals: no_permission, no_service, invalid_payload, pool_empty,
 * no_berths, faction_no_credits.
 */
const recruit = (world: World, access: ReserveAccess, people: People) => {
  const { player, faction, base } = access
  const denied = permissionRefusal(world, player, 'manage_treasury')
  if (denied) return denied
  if (!hasService(world, base, 'personnel')) return fail('no_service')
  if (people.injuredCrew + people.injuredMarines > 0) {
    const field = people.injuredCrew > 0 ? 'injured_crew' : 'injured_marines'
    return invalidFields({ field, expected: '0: only fit people are for hire' })
  }
  const pools = world.write(Pools)
  const { fitCrew, fitMarines } = people
  if (fitCrew > pools.crew[base] || fitMarines > pools.marines[base]) {
    return fail('pool_empty', { crew: pools.crew[base], marines: pools.marines[base] })
  }
  const noBerths = berthsRefusal(people, reserveRoom(world, faction, base))
  if (noBerths) return noBerths
  const cost = fitCrew * PRICES.recruit.crew + fitMarines * PRICES.recruit.marines
  const treasury = treasuryOf(world, faction)
  const have = balanceOf(world, treasury)
  if (have < cost) return fail('faction_no_credits', { need: cost, have })
  pools.crew[base] -= fitCrew
  pools.marines[base] -= fitMarines
  // At its own station a faction pays itself, and `post` moves nothing.
  post(world, treasury, baseTreasury(world, base), cost)
  changeReserve(world, faction, base, people)
  const message = `Hired ${peopleText(people)} for the reserve at ${baseName(world, base)} for ${cost} credits.`
  recordMove(world, access, 'recruit_personnel', message)
  return ok({ message, cost })
}

/**
 * Moves people from the ship to the reserve. Refusals: in_combat, insufficient_personnel,
 * no_berths.
 */
const deposit = (world: World, access: ReserveAccess, people: People) => {
  const { player, faction, base } = access
  const ship = activeShip(world, player)
  const fighting = recentFightRefusal(world, [ship])
  if (fighting) return fighting
  const refused =
    shortageRefusal(peopleOf(world, ship), people) ??
    berthsRefusal(people, reserveRoom(world, faction, base))
  if (refused) return refused
  changePeople(world, ship, negated(people))
  changeReserve(world, faction, base, people)
  const message = `Moved ${peopleText(people)} to the reserve at ${baseName(world, base)}.`
  recordMove(world, access, 'deposit_personnel', message)
  return ok({ message })
}

/**
 * Moves people from the reserve to the ship. Refusals: no_permission, insufficient_personnel,
 * no_berths, in_combat.
 */
const withdraw = (world: World, access: ReserveAccess, people: People) => {
  const { player, faction, base } = access
  const denied = permissionRefusal(world, player, 'manage_treasury')
  if (denied) return denied
  const ship = activeShip(world, player)
  const have = reserveOf(world, faction, base)
  if (isShort(have, people)) {
    const message = say`In reserve here: ${peopleText(have)}, the injured among them; {faction_personnel} without an action shows how many of each are fit.`
    return fail('insufficient_personnel', { have: renderCounts(have) }, message)
  }
  const refused = recentFightRefusal(world, [ship]) ?? berthsRefusal(people, berthsOf(world, ship))
  if (refused) return refused
  changeReserve(world, faction, base, negated(people))
  changePeople(world, ship, people)
  const message = `Took ${peopleText(people)} from the reserve at ${baseName(world, base)}.`
  recordMove(world, access, 'withdraw_personnel', message)
  return ok({ message })
}

const HANDLERS = { recruit, deposit, withdraw }

/**
 * Finds the reserve that a docked member may use. Refusals: not_in_faction, no_faction_storage,
 * limit_reached.
 */
function reserveAccess(view: WorldView, player: Eid) {
  const notMember = memberRefusal(view, player)
  if (notMember) return notMember
  const [faction, base] = [factionOf(view, player), dockedBase(view, player)]
  return reserveRefusal(view, faction, base) ?? { player, faction, base }
}

function renderReserve(view: WorldView, { player, faction, base }: ReserveAccess, action: Action) {
  const ship = activeShip(view, player)
  const room = reserveRoom(view, faction, base)
  return {
    action: 'faction_personnel',
    personnel_action: action,
    faction_id: factionIdOf(view, faction),
    base_id: baseId(view, base),
    reserve: renderCounts(reserveOf(view, faction, base)),
    crew_room: room.crew,
    marine_room: room.marines,
    ...(ship === 0 ? {} : { personnel: renderState(view, ship) }),
  }
}

const peopleCount = (what: string) =>
  optional(int(`${what} to hire, deposit or withdraw.`, { min: 0, max: PEOPLE_MAX, example: 1 }))

interface PeopleParams {
  readonly fit_crew?: number
  readonly fit_marines?: number
  readonly injured_crew?: number
  readonly injured_marines?: number
}

const requestedPeople = (params: PeopleParams): People => ({
  fitCrew: params.fit_crew ?? 0,
  fitMarines: params.fit_marines ?? 0,
  injuredCrew: params.injured_crew ?? 0,
  injuredMarines: params.injured_marines ?? 0,
})

export const factionPersonnel = mutation({
  name: 'faction_personnel',
  v2: { tool: 'game_ship', action: 'faction_personnel', rename: { action: 'personnel_action' } },
  summary:
    'List, hire, deposit or withdraw crew and marines that your faction keeps in reserve here.',
  category: 'ship',
  params: obj({
    action: optional(choice('What to do; status by default.', ACTIONS)),
    fit_crew: peopleCount('Fit crew'),
    fit_marines: peopleCount('Fit marines'),
    injured_crew: peopleCount('Injured crew'),
    injured_marines: peopleCount('Injured marines'),
  }),
  result: reserveSchema,
  needs: [DOCKED],
  changes: ['ship'],
  errors: words(
    'invalid_payload not_in_faction no_permission no_faction_storage no_service pool_empty',
    'no_berths faction_no_credits in_combat insufficient_personnel limit_reached',
  ),
  order: 'plain',
  unmanned: true,
  readsOnly: ({ action = 'status' }) => action === 'status',
  run(world, player, params) {
    const access = reserveAccess(world, player)
    if ('code' in access) return access
    const { action = 'status' } = params
    if (action === 'status') {
      const message = `In reserve here: ${peopleText(reserveOf(world, access.faction, access.base))}.`
      return ok({ ...renderReserve(world, access, action), message })
    }
    const people = requestedPeople(params)
    const nobody = nobodyRefusal(people)
    if (nobody) return nobody
    const done = HANDLERS[action](world, access, people)
    return done.ok ? ok({ ...renderReserve(world, access, action), ...done.result }) : done
  },
})

/* Between ships */

/**
 * Ticks after a ship dealt or took a hit during which nobody may leave or board it. Source:
 * ships.md section 4.
 */
const CALM_TICKS = 5

interface Receiver {
  readonly ship: Eid
  /** The ally who owns the ship; 0 if the player does. */
  readonly ally: Eid
}

/**
 * Finds the ship that people are sent to. Refusals: invalid_target, not_allied, in_combat.
 */
function findReceiver(
  view: WorldView,
  player: Eid,
  target: string,
): Outcome<Receiver, 'in_combat' | 'invalid_target' | 'not_allied'> {
  if (playerById(view, target) !== 0) {
    const ally = findAlly(view, player, target)
    return ally.ok ? ok({ ship: activeShip(view, ally.result), ally: ally.result }) : ally
  }
  const own = activeShip(view, player)
  const prize = prizeById(view, target)
  if (prize !== 0) return findPrizeReceiver(view, player, prize, target)
  const ship = shipById(view, target)
  const isOwn = ship !== 0 && ship !== own && view.read(Ship).owner[ship] === player
  const isHere = dockedBase(view, player) !== 0 && areBeside(view, own, ship)
  return isOwn && isHere ? ok({ ship, ally: 0 }) : invalidTarget(target)
}

/**
 * Finds the player's prize beside them. ours: people can be sent to a prize, since one whose whole
 * crew is injured could otherwise never move. Refusals: invalid_target, in_combat.
 */
function findPrizeReceiver(
  view: WorldView,
  player: Eid,
  prize: Row,
  target: string,
): Outcome<Receiver, 'in_combat' | 'invalid_target'> {
  const { ship, claimant } = view.read(Prize)
  const hull = ship[prize]
  const isHere = areBeside(view, activeShip(view, player), hull)
  if (claimant[prize] !== player || !isHere) return invalidTarget(target)
  return participantOf(view, hull) === 0 ? ok({ ship: hull, ally: 0 }) : fail('in_combat')
}

/** Returns the ticks until a ship has neither dealt nor taken a hit for CALM_TICKS. */
function ticksToCalm(view: WorldView, ship: Eid): number {
  const lastHitTick = view.read(ShipCombat).aggressiveUntil[ship] - AGGRESSION_TICKS
  return Math.max(0, lastHitTick + CALM_TICKS + 1 - view.tick)
}

/** Refuses while one of the ships has fought within the last CALM_TICKS. Refusal: in_combat. */
function recentFightRefusal(
  view: WorldView,
  ships: readonly Eid[],
): Failure<'in_combat'> | undefined {
  const ticks = Math.max(0, ...ships.map((ship) => ticksToCalm(view, ship)))
  if (ticks === 0) return undefined
  const message = `One of the ships has just fought; try again in ${counted(ticks, 'tick')}.`
  return fail('in_combat', undefined, message)
}

/**
 * Refuses to move people from one ship to another if they cannot leave or board. Refusals:
 * in_combat, insufficient_personnel, no_berths.
 */
function transferRefusal(
  view: WorldView,
  from: Eid,
  to: Eid,
  people: People,
): Failure<'in_combat' | 'insufficient_personnel' | 'no_berths'> | undefined {
  return (
    recentFightRefusal(view, [from, to]) ??
    shortageRefusal(peopleOf(view, from), people) ??
    berthsRefusal(people, berthsOf(view, to))
  )
}

function logTransfer(world: World, player: Eid, to: string, people: People): void {
  const summary = `Sent ${peopleText(people)} to ${to}.`
  logAction(world, player, 'ship', 'transfer_personnel', summary, { ...renderCounts(people) })
}

const sentCount = (what: string) =>
  optional(int(`${what} to send.`, { min: 0, max: PEOPLE_MAX, example: 1 }))

export const transferPersonnel = mutation({
  name: 'transfer_personnel',
  v2: { tool: 'game_ship', action: 'transfer_personnel', rename: { target: 'id' } },
  summary:
    'Send crew and marines from your ship to an ally, another docked ship of yours or a prize of yours here.',
  category: 'ship',
  params: obj({
    target: str('A player here, or the id of a ship of yours docked here or of your prize here.', {
      min: 1,
    }),
    fit_crew: sentCount('Fit crew'),
    fit_marines: sentCount('Fit marines'),
    injured_crew: sentCount('Injured crew'),
    injured_marines: sentCount('Injured marines'),
  }),
  result: transferSchema,
  needs: [AT_PLACE],
  changes: ['ship'],
  errors: words(
    'invalid_payload invalid_target not_allied no_berths insufficient_personnel in_combat',
  ),
  order: 'plain',
  run(world, player, { target, ...params }) {
    const people = requestedPeople(params)
    const nobody = nobodyRefusal(people)
    if (nobody) return nobody
    const found = findReceiver(world, player, target)
    if (!found.ok) return found
    const { ship, ally } = found.result
    const own = activeShip(world, player)
    const refused = transferRefusal(world, own, ship, people)
    if (refused) return refused
    movePeople(world, own, ship, people)
    const prize = prizeOf(world, ship)
    if (prize !== 0) wakePrize(world, prize)
    if (ally !== 0) notifyAlly(world, player, ally, { action: 'transfer', people })
    const name = ally === 0 ? shipName(world, ship) : usernameOf(world, ally)
    logTransfer(world, player, name, people)
    return ok({
      action: 'transfer_personnel',
      ship_id: shipId(world, own),
      ...(prize === 0 ? {} : { prize_id: prizeId(world, prize) }),
      ...(ally === 0
        ? { target_ship_id: shipId(world, ship) }
        : { target_player_id: playerId(world, ally), target_player_name: name }),
      counts: renderCounts(people),
      personnel: renderState(world, own),
      message: `Moved ${peopleText(people)} to ${name}.`,
    })
  },
})
