/** Moving people to another ship. Source: ships.md sections 4, 10. */
import { mutation } from '../../core/command.ts'
import { badFields, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { PEOPLE_MAX } from '../../core/limits.ts'
import { int, obj, optional, str } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { playerById, playerId, usernameOf } from '../account/model.ts'
import { AGGRESSION_TICKS } from '../combat/damage-kernels.ts'
import { participantOf } from '../combat/model.ts'
import { ShipCombat } from '../combat/state.ts'
import { logAction } from '../log/rules.ts'
import { prizeById, prizeId, prizeOf } from '../prize/model.ts'
import { hurryPrize } from '../prize/rules.ts'
import { Prize } from '../prize/state.ts'
import { activeShip, shipById, shipId, shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { dockedBase } from '../travel/drift-model.ts'
import { AT_PLACE } from '../travel/needs.ts'
import { areBeside, findAlly, invalidTarget, notifyAlly } from './commands.ts'
import { berthsOf, peopleOf } from './model.ts'
import { movePeople } from './rules.ts'
import { transferSchema } from './schemas.ts'
import type { People } from './state.ts'
import { renderCounts, renderState } from './views.ts'

/** Ticks after a hit, given or taken, in which nobody changes ships. Source: ships.md section 4. */
const CALM_TICKS = 5

interface Receiver {
  readonly ship: Eid
  /** The ally whose ship it is; 0 for a ship of one's own. */
  readonly ally: Eid
}

/** Refusals: invalid_target, not_allied, in_combat. */
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
  if (prize !== 0) return findPrize(view, player, prize, target)
  const ship = shipById(view, target)
  const isOwn = ship !== 0 && ship !== own && view.read(Ship).owner[ship] === player
  const isHere = dockedBase(view, player) !== 0 && areBeside(view, own, ship)
  return isOwn && isHere ? ok({ ship, ally: 0 }) : invalidTarget(target)
}

/** A prize of the player beside them: its crew may be hurt. ours: else it would wait for ever. */
function findPrize(
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

/** Hit, or hit by, somebody a moment ago. */
const isUpset = (view: WorldView, ship: Eid): boolean =>
  view.read(ShipCombat).aggressiveUntil[ship] >= view.tick - CALM_TICKS + AGGRESSION_TICKS

/** Refuses while one of the ships was in a fight a moment ago. Refusal: in_combat. */
export const upsetRefusal = (
  view: WorldView,
  ships: readonly Eid[],
): Failure<'in_combat'> | undefined =>
  ships.some((ship) => isUpset(view, ship))
    ? fail('in_combat', undefined, `Wait ${CALM_TICKS} ticks after the last shot.`)
    : undefined

/** Why these people cannot change ships; nothing if they can. */
function refusal(
  view: WorldView,
  from: Eid,
  to: Eid,
  people: People,
): Failure<'in_combat' | 'insufficient_personnel' | 'no_berths'> | undefined {
  const upset = upsetRefusal(view, [from, to])
  if (upset) return upset
  const have = peopleOf(view, from)
  const isShort =
    people.fitCrew > Math.max(0, have.fitCrew - 1) ||
    people.fitMarines > have.fitMarines ||
    people.injuredCrew > have.injuredCrew ||
    people.injuredMarines > have.injuredMarines
  if (isShort) return fail('insufficient_personnel', { have: renderCounts(have) })
  const berths = berthsOf(view, to)
  const isFull =
    people.fitCrew + people.injuredCrew > berths.crew ||
    people.fitMarines + people.injuredMarines > berths.marines
  return isFull ? fail('no_berths', { berths }) : undefined
}

function log(world: World, player: Eid, to: string, people: People): void {
  const { fitCrew, fitMarines, injuredCrew, injuredMarines } = people
  const said = `Sent ${fitCrew + injuredCrew} crew and ${counted(fitMarines + injuredMarines, 'marine')} to ${to}.`
  logAction(world, player, 'ship', 'transfer_personnel', said, { ...renderCounts(people) })
}

const count = (what: string) =>
  optional(int(`${what} to send.`, { min: 0, max: PEOPLE_MAX, example: 1 }))

export const transferPersonnel = mutation({
  name: 'transfer_personnel',
  v2: { tool: 'game_ship', action: 'transfer_personnel', rename: { target: 'id' } },
  summary:
    'Send people of your ship to an ally here, to a ship of yours docked here, or to your prize.',
  category: 'ship',
  params: obj({
    target: str('A player here, or the id of a ship of yours docked here or of your prize here.', {
      min: 1,
    }),
    fit_crew: count('Fit crew'),
    fit_marines: count('Fit marines'),
    injured_crew: count('Injured crew'),
    injured_marines: count('Injured marines'),
  }),
  result: transferSchema,
  needs: [AT_PLACE],
  changes: ['ship'],
  errors: [
    ...(['invalid_payload', 'invalid_target', 'not_allied'] as const),
    ...(['no_berths', 'insufficient_personnel', 'in_combat'] as const),
  ],
  order: 'plain',
  run(world, player, { target, ...asked }) {
    const people: People = {
      fitCrew: asked.fit_crew ?? 0,
      fitMarines: asked.fit_marines ?? 0,
      injuredCrew: asked.injured_crew ?? 0,
      injuredMarines: asked.injured_marines ?? 0,
    }
    if (Object.values(people).every((number) => number === 0)) {
      return badFields({ field: 'fit_crew', expected: 'somebody to send' })
    }
    const found = findReceiver(world, player, target)
    if (!found.ok) return found
    const { ship, ally } = found.result
    const own = activeShip(world, player)
    const refused = refusal(world, own, ship, people)
    if (refused) return refused
    movePeople(world, own, ship, people)
    const prize = prizeOf(world, ship)
    if (prize !== 0) hurryPrize(world, prize)
    if (ally !== 0) notifyAlly(world, player, ally, { action: 'transfer', people })
    const name = ally === 0 ? shipName(world, ship) : usernameOf(world, ally)
    log(world, player, name, people)
    return ok({
      action: 'transfer_personnel',
      ship_id: shipId(world, own),
      ...(prize === 0 ? {} : { prize_id: prizeId(world, prize) }),
      ...(ally === 0
        ? { target_ship_id: shipId(world, ship) }
        : { target_player_id: playerId(world, ally), target_player_name: name }),
      counts: renderCounts(people),
      personnel: renderState(world, own),
      message: `They have gone over to ${name}.`,
    })
  },
})
