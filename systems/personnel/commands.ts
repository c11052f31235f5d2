/** Hiring crew and marines at a base, and finding allies to help. Source: ships.md 4, 10. */
import { assert } from '../../core/assert.ts'
import { mutation } from '../../core/command.ts'
import { type Failure, fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { balanceOf } from '../../core/ledger.ts'
import { PEOPLE_MAX } from '../../core/limits.ts'
import { int, obj, optional } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { areAllied, playerById, playerId, usernameOf, walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { baseId, baseName, baseTreasury, hasService } from '../base/model.ts'
import { participantOf } from '../combat/model.ts'
import { creditMove } from '../log/rules.ts'
import { seePlayer } from '../sensing/model.ts'
import { activeShip, shipId } from '../ship/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { Location } from '../travel/state.ts'
import { berthsOf } from './model.ts'
import { changePeople } from './rules.ts'
import { personnelUpdate, recruitSchema } from './schemas.ts'
import { type People, Pools, PRICES } from './state.ts'
import { renderCapacities, renderCounts, renderPools, renderState } from './views.ts'

/* Helping allies: finding them, and notifying them */

/** Returns whether two ships are at one place and both docked there or both in space. */
export function areBeside(view: WorldView, ship: Eid, other: Eid): boolean {
  const { poi, base } = view.read(Location)
  return poi[ship] !== 0 && poi[ship] === poi[other] && base[ship] === base[other]
}

/**
 * Finds an ally beside the player, by id or name, who is in no battle. Refusals: invalid_target,
 * not_allied, in_combat.
 */
export function findAlly(
  view: WorldView,
  player: Eid,
  target: string,
): Outcome<Eid, 'in_combat' | 'invalid_target' | 'not_allied'> {
  const other = playerById(view, target)
  const isSeen = other !== 0 && other !== player && seePlayer(view, player, other) === 'full'
  if (!isSeen) return invalidTarget(target)
  const ship = activeShip(view, other)
  if (!areBeside(view, activeShip(view, player), ship)) return invalidTarget(target)
  if (!areAllied(view, player, other)) return fail('not_allied')
  return participantOf(view, ship) === 0 ? ok(other) : fail('in_combat')
}

/** Returns the refusal invalid_target. */
export const invalidTarget = (target: string): Failure<'invalid_target'> =>
  fail('invalid_target', { target })

/**
 * Notifies an ally of what was done for their ship; a helper whom they cannot see is not named.
 */
export function notifyAlly(
  world: World,
  helper: Eid,
  ally: Eid,
  done: { readonly action: string; readonly people: People },
): void {
  const ship = activeShip(world, ally)
  const isSeen = seePlayer(world, ally, helper) === 'full'
  emit(
    world,
    personnelUpdate,
    {
      action: done.action,
      ship_id: shipId(world, ship),
      source_player_id: isSeen ? playerId(world, helper) : '',
      source_username: isSeen ? usernameOf(world, helper) : '',
      counts: renderCounts(done.people),
      capacities: renderCapacities(world, ship),
      personnel: renderState(world, ship),
    },
    toPlayer(ally),
  )
}

interface Hire {
  readonly crew: number
  readonly marines: number
}

/** Says why fewer were hired than requested; empty if all were. */
const shortfallText = (requested: Hire, hired: Hire): string =>
  hired.crew < requested.crew || hired.marines < requested.marines
    ? ' There are no berths aboard for more, or nobody is left to hire.'
    : ''

/**
 * Plans a hire, limited by the berths aboard and the people in the pool. Refusals: no_berths,
 * pool_empty. ours: to hire fewer than requested is not a refusal.
 */
function planHire(
  view: WorldView,
  ship: Eid,
  base: Eid,
  requested: Hire,
): Outcome<Hire, 'no_berths' | 'pool_empty'> {
  const berths = berthsOf(view, ship)
  const pools = view.read(Pools)
  const fits = {
    crew: Math.min(requested.crew, berths.crew),
    marines: Math.min(requested.marines, berths.marines),
  }
  if (fits.crew + fits.marines === 0) {
    const message = `Free aboard: ${berths.crew} crew, ${berths.marines} marines; ask for no more.`
    return fail('no_berths', { berths }, message)
  }
  const hire = {
    crew: Math.min(fits.crew, pools.crew[base]),
    marines: Math.min(fits.marines, pools.marines[base]),
  }
  return hire.crew + hire.marines === 0 ? fail('pool_empty') : ok(hire)
}

const costOf = ({ crew, marines }: Hire): number =>
  crew * PRICES.recruit.crew + marines * PRICES.recruit.marines

export const recruitPersonnel = mutation({
  name: 'recruit_personnel',
  v2: { tool: 'game_ship', action: 'recruit_personnel' },
  summary: 'Hire crew and marines at a base that has people for hire.',
  category: 'ship',
  params: obj({
    crew: optional(int('Crew to hire.', { min: 0, max: PEOPLE_MAX, example: 2 })),
    marines: optional(int('Marines to hire.', { min: 0, max: PEOPLE_MAX, example: 5 })),
  }),
  result: recruitSchema,
  needs: [DOCKED],
  changes: ['player', 'ship', 'location'],
  errors: ['invalid_payload', 'no_service', 'pool_empty', 'no_berths', 'no_credits'],
  order: 'plain',
  unmanned: true,
  run(world, player, { crew = 0, marines = 0 }) {
    if (crew + marines === 0) {
      return invalidFields({ field: 'crew', expected: 'above 0 unless marines is' })
    }
    const base = dockedBase(world, player)
    if (!hasService(world, base, 'personnel')) return fail('no_service')
    const ship = activeShip(world, player)
    const plan = planHire(world, ship, base, { crew, marines })
    if (!plan.ok) return plan
    const hired = plan.result
    const cost = costOf(hired)
    const wallet = walletOf(world, player)
    const have = balanceOf(world, wallet)
    if (have < cost) return fail('no_credits', { need: cost, have, ...hired })
    const summary = `Hired ${hired.crew} crew and ${counted(hired.marines, 'marine')} at ${baseName(world, base)}.`
    creditMove(world, player, wallet, baseTreasury(world, base), cost, 'ship', 'recruit', summary, {
      ...hired,
    })
    addStat(world, player, 'credits_spent', cost)
    const pools = world.write(Pools)
    assert(hired.crew <= pools.crew[base], 'more crew is hired than is in the pool')
    pools.crew[base] -= hired.crew
    pools.marines[base] -= hired.marines
    changePeople(world, ship, { fitCrew: hired.crew, fitMarines: hired.marines })
    return ok({
      action: 'recruit_personnel',
      base_id: baseId(world, base),
      ...hired,
      cost,
      personnel: renderState(world, ship),
      capacities: renderCapacities(world, ship),
      pool: renderPools(world, base),
      message: `${summary} It cost ${counted(cost, 'credit')}.${shortfallText({ crew, marines }, hired)}`,
    })
  },
})
