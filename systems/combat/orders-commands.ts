/**
 * Orders in a battle: immediates that leave a wish, latest of each sort, for the next phase fight.
 * v1 has one command with an action, v2 an address each. Source: combat.md sections 2, 17.
 */
import { immediate, type Need } from '../../core/command.ts'
import { type ErrorCode, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { BATTLE_ORDERS_PER_TICK_MAX, BATTLE_SIDES_MAX } from '../../core/limits.ts'
import {
  choice,
  int,
  NO_PARAMS,
  obj,
  opt,
  optional,
  type Static,
  str,
  strings,
  Type,
} from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isBoardingLocked } from '../boarding/model.ts'
import { requestBoarding } from '../boarding/rules.ts'
import { activeShip } from '../ship/model.ts'
import { systemOf } from '../travel/drift-model.ts'
import { UNDOCKED } from '../travel/needs.ts'
import { wishToEngage } from './battles-rules.ts'
import {
  ACTIONS,
  type Action,
  armSelfDestruct,
  battleHelp,
  combatantById,
  helpSchema,
  SUMMARY,
} from './commands.ts'
import { engageRefusal } from './engage-systems.ts'
import {
  battleId,
  battleIn,
  combatantId,
  combatantName,
  combatantOf,
  participantsOf,
  pilotOf,
} from './model.ts'
import { Battle, Participant, ShipCombat, STANCES } from './state.ts'

const MARINES_MAX = 65_535

/* Parameters and results */

const stanceParam = str(`One of ${STANCES.join(', ')}.`, { min: 1, example: 'brace' })
const targetParam = str('A participant of your battle, by id or name.', { min: 1 })
const marinesParam = int('Marines to send aboard.', { min: 0, max: MARINES_MAX, example: 5 })
const sideParam = int('Side to join; the lowest that has a player if absent.', {
  min: 0,
  max: BATTLE_SIDES_MAX,
  example: 1,
})

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

/** Counts an order that is taken; more than the bound are refused. */
function orderRateRefusal(view: WorldView, ship: Eid): Failure<'rate_limited'> | undefined {
  const { orderTick, orders } = view.read(ShipCombat)
  const isFull = orderTick[ship] === view.tick && orders[ship] >= BATTLE_ORDERS_PER_TICK_MAX
  return isFull ? fail('rate_limited', { wait_seconds: Math.ceil(view.tickMs / 1000) }) : undefined
}

function count(world: World, ship: Eid): void {
  const fighting = world.write(ShipCombat)
  if (fighting.orderTick[ship] !== world.tick) fighting.orders[ship] = 0
  fighting.orderTick[ship] = world.tick
  fighting.orders[ship]++
}

/* The orders. Each refuses or writes, and says what it did. */

type Give = (world: World, row: Row, order: Order) => Outcome<Omit<Ordered, 'action' | 'battle_id'>>

function move(rings: -1 | 1, message: string) {
  return (world: World, row: Row) => {
    world.write(Participant).orderMove[row] = rings
    return ok({ message })
  }
}

const giveStance = (world: World, row: Row, order: Order) => {
  const index = (STANCES as readonly string[]).indexOf(order.stance ?? '')
  if (index < 0) return fail('invalid_stance', { stances: STANCES })
  if (STANCES[index] === 'board') return giveBoard(world, row, order)
  if (STANCES[index] === 'flee' && isBoardingLocked(world, row)) return fail('boarding_locked')
  world.write(Participant).orderStance[row] = index + 1
  return ok({ message: `Stance ${STANCES[index]} from the next tick on.`, stance: STANCES[index] })
}

/** A participant of the battle on a side hostile to the own; 0 for any other. */
function foeById(view: WorldView, row: Row, id: string): Row {
  const { battle, side } = view.read(Participant)
  const found = combatantById(view, battle[row], id)
  if (found === 0 || found === row) return 0
  const { hostile } = view.read(Battle)
  const mask = hostile[battle[row] * (BATTLE_SIDES_MAX + 1) + side[row]]
  return ((mask >>> (side[found] - 1)) & 1) === 1 ? found : 0
}

const giveTarget = (world: World, row: Row, { target_id = '' }: Order) => {
  const target = foeById(world, row, target_id)
  if (target === 0) return fail('invalid_target', { target_id })
  world.write(Participant).orderTarget[row] = target
  const name = combatantName(world, target) || 'an unknown ship'
  return ok({ message: `Firing at ${name} from now on.`, target_id: combatantId(world, target) })
}

const giveBoard = (world: World, row: Row, { target_id = '', marines = 0 }: Order) => {
  const target = foeById(world, row, target_id)
  const refused = requestBoarding(world, row, target, marines)
  if (refused) return refused
  const name = combatantName(world, target) || 'an unknown ship'
  return ok({
    message: `Making ready to board ${name}: ${counted(marines, 'marine')}.`,
    stance: 'board',
    target_id: combatantId(world, target),
  })
}

const giveSelfDestruct = (world: World, row: Row) => {
  return ok({ message: `The ship blows up in ${counted(armSelfDestruct(world, row), 'tick')}.` })
}

const GIVE = {
  advance: move(-1, 'One ring inwards at the next tick.'),
  retreat: move(1, 'One ring outwards at the next tick.'),
  stance: giveStance,
  target: giveTarget,
  board: giveBoard,
  self_destruct: giveSelfDestruct,
} satisfies Record<Exclude<Action, 'engage'>, Give>

function give(world: World, player: Eid, action: Exclude<Action, 'engage'>, order: Order) {
  const row = combatantOf(world, player)
  if (row === 0) return fail('not_in_battle')
  const ship = activeShip(world, player)
  const refused = orderRateRefusal(world, ship)
  if (refused) return refused
  const done = GIVE[action](world, row, order)
  if (!done.ok) return done
  count(world, ship)
  world.write(Participant).orderTick[row] = world.tick
  const battle = world.read(Participant).battle[row]
  return ok({ action, battle_id: battleId(world, battle), ...done.result })
}

/** Lowest side with a player in it; 0 none. */
function defaultSide(view: WorldView, battle: Row): number {
  const { side } = view.read(Participant)
  const rows = participantsOf(view, battle).filter((row) => pilotOf(view, row) !== 0)
  return rows.length === 0 ? 0 : Math.min(...rows.map((row) => side[row]))
}

function engage(world: World, player: Eid, { side_id }: Order) {
  if (combatantOf(world, player) !== 0) return fail('already_in_battle')
  const unmet = UNDOCKED.check(world, player)
  if (unmet) return unmet
  const battle = battleIn(world, systemOf(world, player))
  if (battle === 0) return fail('no_battle')
  const ship = activeShip(world, player)
  const side = side_id ?? defaultSide(world, battle)
  const refused = orderRateRefusal(world, ship) ?? engageRefusal(world, battle, player, side)
  if (refused) return refused
  count(world, ship)
  wishToEngage(world, ship, battle, side)
  const message = `You join side ${side} of the battle at the next tick.`
  return ok({ action: 'engage', battle_id: battleId(world, battle), message })
}

/* Definitions */

const shared = { category: 'combat', needs: [] as readonly Need[] } as const

const ERRORS_OF = {
  advance: ['not_in_battle'],
  retreat: ['not_in_battle'],
  stance: [
    ...(['not_in_battle', 'invalid_stance', 'boarding_locked'] as const),
    ...(['no_boarding_gear', 'no_marines', 'invalid_target'] as const),
  ],
  target: ['not_in_battle', 'invalid_target'],
  board: ['not_in_battle', 'no_boarding_gear', 'no_marines', 'invalid_target'],
  engage: [
    ...(['already_in_battle', 'docked', 'in_transit', 'no_battle'] as const),
    ...(['invalid_side', 'limit_reached'] as const),
  ],
  self_destruct: ['not_in_battle'],
} as const satisfies Record<Action, readonly ErrorCode[]>

const run = (world: World, player: Eid, action: Action, order: Order) =>
  action === 'engage' ? engage(world, player, order) : give(world, player, action, order)

export const battle = immediate({
  ...shared,
  name: 'battle',
  summary: 'Give an order in your battle, or join one; takes effect with the next tick.',
  params: obj({
    action: choice('What to do.', [...ACTIONS, 'help']),
    stance: optional(stanceParam),
    target_id: optional(targetParam),
    marines: optional(marinesParam),
    side_id: optional(sideParam),
  }),
  result: Type.Union([orderSchema, helpSchema]),
  errors: [...new Set([...Object.values(ERRORS_OF).flat(), 'rate_limited' as const])],
  run: (world, player, { action, ...order }) =>
    action === 'help' ? ok(battleHelp()) : run(world, player, action as Action, order),
})

/** The address of an action on v2. */
function onV2<P extends Parameters<typeof immediate>[0]['params']>(
  action: Action,
  params: P,
  rename: Readonly<Record<string, string>> = {},
) {
  return immediate({
    ...shared,
    name: action,
    v1: false,
    v1Name: `battle ${action}`,
    v2: { tool: 'game_battle', action, rename },
    summary: SUMMARY[action],
    params,
    result: orderSchema,
    errors: [...ERRORS_OF[action], 'rate_limited'],
    run: (world: World, player: Eid, order: Static<P>) =>
      run(world, player, action, order as Order),
  })
}

export const battleOrders = [
  onV2('advance', NO_PARAMS),
  onV2('retreat', NO_PARAMS),
  onV2(
    'stance',
    obj({
      stance: stanceParam,
      target_id: optional(targetParam),
      marines: optional(marinesParam),
    }),
    { stance: 'id', target_id: 'target' },
  ),
  onV2('target', obj({ target_id: targetParam }), { target_id: 'id' }),
  onV2('engage', obj({ side_id: optional(sideParam) })),
  onV2('self_destruct', NO_PARAMS),
]
