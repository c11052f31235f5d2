/** The people of a faction at a base: looking, hiring, bringing and taking. newer.md section 5. */
import { mutation } from '../../core/command.ts'
import { badFields, fail, ok } from '../../core/errors.ts'
import { balanceOf, post } from '../../core/ledger.ts'
import { PEOPLE_MAX } from '../../core/limits.ts'
import { choice, int, obj, optional } from '../../core/params.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseId, baseName, baseTreasury, hasService } from '../base/model.ts'
import {
  factionIdOf,
  factionOf,
  memberRefusal,
  permissionRefusal,
  treasuryOf,
} from '../faction/model.ts'
import { recordStoreMove } from '../faction/rules.ts'
import { activeShip } from '../ship/model.ts'
import { dockedBase } from '../travel/drift-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { berthsOf, peopleOf, reserveOf, reserveRoom } from './model.ts'
import { changePeople, changeReserve, reserveRefusal } from './rules.ts'
import { reserveSchema } from './schemas.ts'
import { type People, Pools, PRICES } from './state.ts'
import { upsetRefusal } from './transfer-commands.ts'
import { renderCounts, renderState } from './views.ts'

const ACTIONS = ['status', 'recruit', 'deposit', 'withdraw'] as const
type Action = (typeof ACTIONS)[number]

/** A member at a base where their faction has a store. */
interface Desk {
  readonly player: Eid
  readonly faction: Row
  readonly base: Eid
}

const said = ({ fitCrew, fitMarines, injuredCrew, injuredMarines }: People): string =>
  `${fitCrew + injuredCrew} crew and ${fitMarines + injuredMarines} marines`

const noRoom = (need: People, room: { readonly crew: number; readonly marines: number }) => {
  const isFull =
    need.fitCrew + need.injuredCrew > room.crew ||
    need.fitMarines + need.injuredMarines > room.marines
  return isFull ? fail('no_berths', { berths: room }) : undefined
}

const negated = ({ fitCrew, fitMarines, injuredCrew, injuredMarines }: People): People => ({
  fitCrew: -fitCrew,
  fitMarines: -fitMarines,
  injuredCrew: -injuredCrew,
  injuredMarines: -injuredMarines,
})

const isShort = (have: People, need: People): boolean =>
  need.fitCrew > have.fitCrew ||
  need.fitMarines > have.fitMarines ||
  need.injuredCrew > have.injuredCrew ||
  need.injuredMarines > have.injuredMarines

function note(world: World, { faction, player, base }: Desk, action: string, summary: string) {
  recordStoreMove(world, { faction, player, action, summary, base })
}

/** Refusals: no_permission, no_service, invalid_payload, pool_empty, no_berths, faction_no_… */
const recruit = (world: World, desk: Desk, people: People) => {
  const { player, faction, base } = desk
  const denied = permissionRefusal(world, player, 'manage_treasury')
  if (denied) return denied
  if (!hasService(world, base, 'personnel')) return fail('no_service')
  if (people.injuredCrew + people.injuredMarines > 0) {
    return badFields({ field: 'injured_crew', expected: '0: only the fit are for hire' })
  }
  const pools = world.write(Pools)
  const { fitCrew, fitMarines } = people
  if (fitCrew > pools.crew[base] || fitMarines > pools.marines[base]) {
    return fail('pool_empty', { crew: pools.crew[base], marines: pools.marines[base] })
  }
  const full = noRoom(people, reserveRoom(world, faction, base))
  if (full) return full
  const cost = fitCrew * PRICES.recruit.crew + fitMarines * PRICES.recruit.marines
  const treasury = treasuryOf(world, faction)
  const have = balanceOf(world, treasury)
  if (have < cost) return fail('faction_no_credits', { need: cost, have })
  pools.crew[base] -= fitCrew
  pools.marines[base] -= fitMarines
  // at its own station a faction pays itself
  const payee = baseTreasury(world, base)
  if (payee !== treasury) post(world, treasury, payee, cost)
  changeReserve(world, faction, base, people)
  const message = `Hired ${said(people)} for the reserve at ${baseName(world, base)} for ${cost} credits.`
  note(world, desk, 'recruit_personnel', message)
  return ok({ message, cost })
}

/** Refusals: in_combat, insufficient_personnel, no_berths. */
const deposit = (world: World, desk: Desk, people: People) => {
  const { player, faction, base } = desk
  const ship = activeShip(world, player)
  const upset = upsetRefusal(world, [ship])
  if (upset) return upset
  const aboard = peopleOf(world, ship)
  // one of the crew stays
  const spare = { ...aboard, fitCrew: Math.max(0, aboard.fitCrew - 1) }
  if (isShort(spare, people)) {
    return fail('insufficient_personnel', { have: renderCounts(aboard) })
  }
  const full = noRoom(people, reserveRoom(world, faction, base))
  if (full) return full
  changePeople(world, ship, negated(people))
  changeReserve(world, faction, base, people)
  const message = `Brought ${said(people)} into the reserve at ${baseName(world, base)}.`
  note(world, desk, 'deposit_personnel', message)
  return ok({ message })
}

/** Refusals: no_permission, insufficient_personnel, no_berths, in_combat. */
const withdraw = (world: World, desk: Desk, people: People) => {
  const { player, faction, base } = desk
  const denied = permissionRefusal(world, player, 'manage_treasury')
  if (denied) return denied
  const ship = activeShip(world, player)
  const have = reserveOf(world, faction, base)
  if (isShort(have, people)) return fail('insufficient_personnel', { have: renderCounts(have) })
  const refused = upsetRefusal(world, [ship]) ?? noRoom(people, berthsOf(world, ship))
  if (refused) return refused
  changeReserve(world, faction, base, negated(people))
  changePeople(world, ship, people)
  const message = `Took ${said(people)} out of the reserve at ${baseName(world, base)}.`
  note(world, desk, 'withdraw_personnel', message)
  return ok({ message })
}

const ACTS = { recruit, deposit, withdraw }

/**
 * A member docked where their faction has a store. Refusals: not_in_faction, no_faction_storage.
 */
function deskOf(view: WorldView, player: Eid) {
  const outside = memberRefusal(view, player)
  if (outside) return outside
  const [faction, base] = [factionOf(view, player), dockedBase(view, player)]
  return reserveRefusal(view, faction, base) ?? { player, faction, base }
}

function render(view: WorldView, { player, faction, base }: Desk, action: Action) {
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

const count = (what: string) =>
  optional(int(`${what} to hire, bring or take.`, { min: 0, max: PEOPLE_MAX, example: 1 }))

interface Asked {
  readonly action?: Action
  readonly fit_crew?: number
  readonly fit_marines?: number
  readonly injured_crew?: number
  readonly injured_marines?: number
}

export const factionPersonnel = mutation({
  name: 'faction_personnel',
  v2: { tool: 'game_ship', action: 'faction_personnel', rename: { action: 'personnel_action' } },
  summary: 'The crew and marines your faction keeps in reserve here: see, hire, bring, take.',
  category: 'ship',
  params: obj({
    action: optional(choice('What to do; status unless said.', ACTIONS)),
    fit_crew: count('Fit crew'),
    fit_marines: count('Fit marines'),
    injured_crew: count('Injured crew'),
    injured_marines: count('Injured marines'),
  }),
  result: reserveSchema,
  needs: [DOCKED],
  changes: ['ship'],
  errors: [
    ...(['invalid_payload', 'not_in_faction', 'no_permission', 'no_faction_storage'] as const),
    ...(['no_service', 'pool_empty', 'no_berths', 'faction_no_credits', 'in_combat'] as const),
    ...(['insufficient_personnel', 'limit_reached', 'bucket_not_found'] as const),
  ],
  order: 'plain',
  unmanned: true,
  readsOnly: ({ action = 'status' }) => action === 'status',
  run(world, player, asked: Asked) {
    const desk = deskOf(world, player)
    if ('code' in desk) return desk
    const { action = 'status' } = asked
    if (action === 'status') {
      const message = `In reserve here: ${said(reserveOf(world, desk.faction, desk.base))}.`
      return ok({ ...render(world, desk, action), message })
    }
    const people: People = {
      fitCrew: asked.fit_crew ?? 0,
      fitMarines: asked.fit_marines ?? 0,
      injuredCrew: asked.injured_crew ?? 0,
      injuredMarines: asked.injured_marines ?? 0,
    }
    if (Object.values(people).every((number) => number === 0)) {
      return badFields({ field: 'fit_crew', expected: 'a number of people above 0' })
    }
    const done = ACTS[action](world, desk, people)
    return done.ok ? ok({ ...render(world, desk, action), ...done.result }) : done
  },
})
