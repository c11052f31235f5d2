/**
 * Orders in a battle: immediates, of which the latest of each sort is carried out in the next phase
 * fight. v1 takes the action as a parameter, v2 has an address for each. Source: combat.md sections
 * 2, 17.
 */
import { actionCommands, actionRow } from '../../core/action-table.ts'
import {
  type ErrorCode,
  type Failure,
  fail,
  type Outcome,
  ok,
  waitRefusal,
} from '../../core/errors.ts'
import { BATTLE_ORDERS_PER_TICK_MAX, BATTLE_SIDES_MAX } from '../../core/limits.ts'
import { int, obj, opt, type Static, str, strings, words } from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isBoardingLocked } from '../boarding/model.ts'
import { requestBoarding } from '../boarding/rules.ts'
import { activeShip } from '../ship/model.ts'
import { systemOf } from '../travel/location-model.ts'
import { UNDOCKED } from '../travel/needs.ts'
import { scheduleEngagement } from './battles-rules.ts'
import { combatantById } from './commands.ts'
import { AUTOPILOT_AFTER_TICKS } from './damage-kernels.ts'
import { engageRefusal } from './engage-rules.ts'
import {
  areHostile,
  battleId,
  battleIn,
  combatantId,
  combatantName,
  combatantOf,
  participantsOf,
  pilotOf,
} from './model.ts'
import { armSelfDestruct, SELF_DESTRUCT_TICKS } from './self-destruct-rules.ts'
import { PARTICIPANT_KINDS, Participant, RINGS, ShipCombat, STANCES } from './state.ts'

const MARINES_MAX = 65_535

/* Parameters and results */

/** Parameters of any order. */
interface Order {
  readonly stance?: string
  readonly target_id?: string
  readonly marines?: number
  readonly side_id?: number
}

const orderSchema = obj({
  ...strings('action', 'message'),
  ...opt(strings('battle_id', 'stance', 'target_id')),
})
type Ordered = Static<typeof orderSchema>

/* Refusals */

/** Refuses more orders in a tick than the bound. */
function orderRateRefusal(view: WorldView, ship: Eid): Failure<'rate_limited'> | undefined {
  const { orderTick, orders } = view.read(ShipCombat)
  const isFull = orderTick[ship] === view.tick && orders[ship] >= BATTLE_ORDERS_PER_TICK_MAX
  return isFull ? waitRefusal(view, 1) : undefined
}

/** Counts an order that was accepted. */
function countOrder(world: World, ship: Eid): void {
  const shipCombat = world.write(ShipCombat)
  if (shipCombat.orderTick[ship] !== world.tick) shipCombat.orders[ship] = 0
  shipCombat.orderTick[ship] = world.tick
  shipCombat.orders[ship]++
}

/* The orders: each refuses, or writes and answers */

type Answer = Omit<Ordered, 'action' | 'battle_id'>

function orderMove(rings: -1 | 1, message: string) {
  return (world: World, row: Row) => {
    world.write(Participant).orderMove[row] = rings
    return ok({ message })
  }
}

const orderStance = (world: World, row: Row, params: Order) => {
  const index = (STANCES as readonly string[]).indexOf(params.stance ?? '')
  if (index < 0) return fail('invalid_stance', { stances: STANCES })
  if (STANCES[index] === 'board') return orderBoarding(world, row, params)
  if (STANCES[index] === 'flee' && isBoardingLocked(world, row)) return fail('boarding_locked')
  world.write(Participant).orderStance[row] = index + 1
  const stance = STANCES[index]
  const lasting =
    stance === 'fire'
      ? ''
      : ` Order it again within ${AUTOPILOT_AFTER_TICKS} ticks, or the ship goes back to fire.`
  return ok({ message: `Stance ${stance} from the next tick on.${lasting}`, stance })
}

/** Returns the enemy in the battle with this id or name; 0 for any other participant. */
function foeById(view: WorldView, row: Row, id: string): Row {
  const { battle, side } = view.read(Participant)
  const other = combatantById(view, battle[row], id)
  return other !== 0 && areHostile(view, battle[row], side[row], side[other]) ? other : 0
}

const orderTarget = (world: World, row: Row, { target_id = '' }: Order) => {
  const target = foeById(world, row, target_id)
  if (target === 0) {
    const message = say`No enemy in this battle has that name or id; {get_battle_status} lists all.`
    return fail('invalid_target', { target_id }, message)
  }
  world.write(Participant).orderTarget[row] = target
  const name = combatantName(world, target) || 'an unknown ship'
  return ok({ message: `Firing at ${name} from now on.`, target_id: combatantId(world, target) })
}

const orderBoarding = (world: World, row: Row, { target_id = '', marines = 0 }: Order) => {
  const target = foeById(world, row, target_id)
  const refused = requestBoarding(world, row, target, marines)
  if (refused) return refused
  const name = combatantName(world, target) || 'an unknown ship'
  return ok({
    message: say`Making ready to board ${name}: ${counted(marines, 'marine')}. From the innermost ring the clamps grip a ship there, and one ring further out for each AU a tick that you are faster, once its shield is down to a quarter; {get_battle_status} says as latch_status what they wait for.`,
    stance: 'board',
    target_id: combatantId(world, target),
  })
}

const orderSelfDestruct = (world: World, row: Row) =>
  ok({ message: `The ship blows up in ${counted(armSelfDestruct(world, row), 'tick')}.` })

/** Makes the `run` of an action from an order, which is accepted only in a battle, and counted. */
const taking =
  <E extends ErrorCode>(
    action: string,
    order: (world: World, row: Row, params: Order) => Outcome<Answer, E>,
  ) =>
  (
    world: World,
    player: Eid,
    params: Order,
  ): Outcome<Ordered, E | 'not_in_battle' | 'rate_limited'> => {
    const row = combatantOf(world, player)
    if (row === 0) return fail('not_in_battle')
    const ship = activeShip(world, player)
    const refused = orderRateRefusal(world, ship)
    if (refused) return refused
    const done = order(world, row, params)
    if (!done.ok) return done
    countOrder(world, ship)
    const { battle, orderTick } = world.write(Participant)
    orderTick[row] = world.tick
    return ok({ action, battle_id: battleId(world, battle[row]), ...done.result })
  }

/** Returns the lowest side with a player in it; 0 if there is none. */
function defaultSide(view: WorldView, battle: Row): number {
  const { side } = view.read(Participant)
  const rows = participantsOf(view, battle).filter((row) => pilotOf(view, row) !== 0)
  return rows.length === 0 ? 0 : Math.min(...rows.map((row) => side[row]))
}

function engage(world: World, player: Eid, { side_id }: Order) {
  if (combatantOf(world, player) !== 0) return fail('already_in_battle')
  const battle = battleIn(world, systemOf(world, player))
  if (battle === 0) return fail('no_battle')
  const ship = activeShip(world, player)
  if (ship === 0) return fail('no_ship')
  const side = side_id ?? defaultSide(world, battle)
  const refused = orderRateRefusal(world, ship) ?? engageRefusal(world, battle, player, side)
  if (refused) return refused
  countOrder(world, ship)
  scheduleEngagement(world, ship, battle, side)
  const message = `You join side ${side} of the battle at the next tick.`
  return ok({ action: 'engage', battle_id: battleId(world, battle), message })
}

/* Definitions */

const action = actionRow<Order>()
const ORDER = { kind: 'immediate', needs: [], result: orderSchema } as const
const FOE = '4f8a2c10-0000-4000-8000-000000000001'

const ORDERS = [
  action({
    ...ORDER,
    name: 'advance',
    summary: 'Move one ring inwards, nearer to the enemy.',
    examples: [{}],
    errors: ['not_in_battle', 'rate_limited'],
    run: taking('advance', orderMove(-1, 'One ring inwards at the next tick.')),
  }),
  action({
    ...ORDER,
    name: 'retreat',
    summary: 'Move one ring outwards, away from the enemy.',
    examples: [{}],
    errors: ['not_in_battle', 'rate_limited'],
    run: taking('retreat', orderMove(1, 'One ring outwards at the next tick.')),
  }),
  action({
    ...ORDER,
    name: 'stance',
    summary: 'Take a stance: fire, evade, brace, flee, or board with target and marines.',
    required: ['stance'],
    optional: ['target_id', 'marines'],
    rename: { stance: 'id', target_id: 'target' },
    examples: [{ stance: 'brace' }, { stance: 'board', target_id: FOE, marines: 5 }],
    errors: words(
      'not_in_battle invalid_stance boarding_locked rate_limited no_boarding_gear no_marines',
      'invalid_target',
    ),
    run: taking('stance', orderStance),
  }),
  action({
    ...ORDER,
    name: 'target',
    summary: 'Fire at this participant. Guns without a target fire at the nearest enemy.',
    required: ['target_id'],
    rename: { target_id: 'id' },
    examples: [{ target_id: FOE }],
    errors: ['not_in_battle', 'invalid_target', 'rate_limited'],
    run: taking('target', orderTarget),
  }),
  action({
    ...ORDER,
    name: 'board',
    // v2 has it only as a stance.
    v2: false,
    summary: 'Send marines aboard an enemy ship.',
    required: ['target_id', 'marines'],
    examples: [{ target_id: FOE, marines: 5 }],
    errors: words('not_in_battle no_boarding_gear no_marines invalid_target rate_limited'),
    run: taking('board', orderBoarding),
  }),
  action({
    ...ORDER,
    name: 'engage',
    summary: 'Join the battle of your system on a side; it counts as an attack on its enemies.',
    optional: ['side_id'],
    examples: [{}, { side_id: 2 }],
    needs: [UNDOCKED],
    errors: words('already_in_battle no_battle invalid_side limit_reached rate_limited'),
    run: engage,
  }),
  action({
    ...ORDER,
    name: 'self_destruct',
    summary: `Blow up your ship in ${SELF_DESTRUCT_TICKS} ticks, for all to see.`,
    examples: [{}],
    errors: ['not_in_battle', 'rate_limited'],
    run: taking('self_destruct', orderSelfDestruct),
  }),
]

export const battleCommands = actionCommands<Order>({
  name: 'battle',
  tool: 'game_battle',
  category: 'combat',
  summary: 'Give an order in your battle, or join one; takes effect with the next tick.',
  params: {
    stance: str(`One of ${STANCES.join(', ')}.`, { min: 1, example: 'brace' }),
    target_id: str('A participant of your battle, by id or name.', { min: 1 }),
    marines: int('Marines to send aboard.', { min: 0, max: MARINES_MAX, example: 5 }),
    side_id: int('Side to join; if absent, the lowest that has a player.', {
      min: 0,
      max: BATTLE_SIDES_MAX,
      example: 1,
    }),
  },
  rows: ORDERS,
  changes: [],
  lacks: ({ name }, { stance }) =>
    name === 'stance' && stance === undefined
      ? fail('invalid_stance', { stances: STANCES })
      : undefined,
  help: {
    description: 'Orders to your ship in a battle. They take effect with the next tick.',
    notes: [
      'Orders take no tick: the latest of each sort counts.',
      `${AUTOPILOT_AFTER_TICKS} ticks after your last order the autopilot takes over and fires, ` +
        'whatever your stance was, unless it is board. To go on fleeing, order it again before that.',
      'Fleeing counts at the outer ring only, and not while you are tackled or boarded.',
      'Bracing takes a quarter of the damage and regrows shields twice as fast, but does not fire.',
    ],
    sources: {
      target_id: say`participants[].player_id of battle_update and {get_battle_status}, or a user name.`,
      side_id: say`sides[].side_id of battle_started, battle_alert and {get_battle_status}.`,
      marines: say`personnel.fit_marines of {get_ship}: no more than those.`,
      stance: 'One of the stances below.',
    },
    targets: {
      stance: STANCES,
      zone: [...RINGS].reverse(),
      kind: PARTICIPANT_KINDS,
      board: ['player', 'pirate', 'npc', 'prize'],
    },
  },
})
