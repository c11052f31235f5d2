/** Treating injured people: at a station, in the field or in reserve. Source: ships.md 4, 10. */
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { defineNeed, mutation } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { moveItems, namedContainer, unitsIn } from '../../core/goods.ts'
import { balanceOf } from '../../core/ledger.ts'
import { PEOPLE_MAX } from '../../core/limits.ts'
import { divCeil } from '../../core/math.ts'
import { bool, choice, int, obj, optional, str, words } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { playerById, playerId, usernameOf, walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { baseId, baseName, baseTreasury, hasService } from '../base/model.ts'
import { factionOf, permissionRefusal } from '../faction/model.ts'
import { recordStoreMove } from '../faction/rules.ts'
import { closeEmptyStore, findMainStore, storeContainer } from '../faction/store-model.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { activeShip, cargoUnits, hasSpecial, shipId, unloadCargo } from '../ship/model.ts'
import { dockedBase, inTransit } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { findAlly, invalidTarget, notifyAlly } from './commands.ts'
import { NO_PEOPLE, peopleOf, reserveOf } from './model.ts'
import { changePeople, changeReserve } from './rules.ts'
import { treatSchema } from './schemas.ts'
import { type People, Pools, PRICES } from './state.ts'
import { renderCounts, renderState } from './views.ts'

const PROVIDERS = ['station', 'field', 'reserve', 'faction'] as const
type Provider = 'station' | 'field' | 'reserve'
const SUPPLIES = itemIndex('medical_supplies')
/** People whom one unit of supplies treats. */
const PATIENTS_PER_UNIT = 4
const FIELD_SPECIAL = 'remote_medical_treatment'

interface TreatParams {
  readonly crew?: number
  readonly marines?: number
  readonly provider?: (typeof PROVIDERS)[number]
  readonly reserve?: boolean
  readonly target?: string
}

/** Returns whether a target names neither the player nor their ship. */
const isOther = (view: WorldView, player: Eid, target: string | undefined): boolean =>
  target !== undefined &&
  playerById(view, target) !== player &&
  target.toLowerCase() !== shipId(view, activeShip(view, player))

/**
 * Returns who treats: the requested provider; by default the station for a docked player, otherwise
 * a field hospital aboard. Allies are treated only in the field.
 */
function providerOf(view: WorldView, player: Eid, params: TreatParams): Provider {
  if (params.reserve || params.provider === 'faction') return 'reserve'
  if (params.provider) return params.provider
  if (isOther(view, player, params.target)) return 'field'
  if (dockedBase(view, player) !== 0) return 'station'
  return hasSpecial(view, activeShip(view, player), FIELD_SPECIAL) ? 'field' : 'station'
}

/** Docked, unless people are treated in the field. Source: travel.md section 6. */
const DOCKED_FOR_TREATMENT = defineNeed({
  name: 'served',
  errors: DOCKED.errors,
  check: inTransit,
  ensure: (world, player, params) =>
    providerOf(world, player, params as TreatParams) === 'field'
      ? inTransit(world, player)
      : DOCKED.ensure(world, player, params),
})

/** Injured people to treat. */
interface Cases {
  readonly crew: number
  readonly marines: number
}
const countOf = ({ crew, marines }: Cases): number => crew + marines
/** Returns at most `max` cases, crew before marines. */
const firstCases = ({ crew, marines }: Cases, max: number): Cases => ({
  crew: Math.min(crew, max),
  marines: Math.min(marines, max - Math.min(crew, max)),
})

/** Returns the injured people aboard a ship to treat: all, unless the parameters limit them. */
const casesOf = (view: WorldView, ship: Eid, params: TreatParams): Cases =>
  casesAmong(peopleOf(view, ship), params)

function casesAmong({ injuredCrew, injuredMarines }: People, { crew, marines }: TreatParams) {
  if (crew === undefined && marines === undefined) {
    return { crew: injuredCrew, marines: injuredMarines }
  }
  return {
    crew: Math.min(crew ?? 0, injuredCrew),
    marines: Math.min(marines ?? 0, injuredMarines),
  }
}

/** Returns the change of the numbers of people when these cases are treated. */
const healed = ({ crew, marines }: Cases): People => ({
  fitCrew: crew,
  fitMarines: marines,
  injuredCrew: -crew,
  injuredMarines: -marines,
})

const casesText = ({ crew, marines }: Cases): string =>
  `${crew} crew and ${counted(marines, 'marine')} have recovered.`

/**
 * Treats injured people of the player's ship at a station. Refusals: no_service, invalid_target,
 * nothing_to_treat, pool_empty, no_credits.
 */
function treatAtStation(world: World, player: Eid, params: TreatParams) {
  const base = dockedBase(world, player)
  if (!hasService(world, base, 'personnel')) return fail('no_service')
  if (params.target !== undefined && isOther(world, player, params.target)) {
    return invalidTarget(params.target)
  }
  const ship = activeShip(world, player)
  const injured = casesOf(world, ship, params)
  if (countOf(injured) === 0) return fail('nothing_to_treat')
  const cases = firstCases(injured, world.read(Pools).medical[base])
  if (countOf(cases) === 0) return fail('pool_empty')
  const cost = cases.crew * PRICES.treat.crew + cases.marines * PRICES.treat.marines
  const wallet = walletOf(world, player)
  const have = balanceOf(world, wallet)
  if (have < cost) return fail('no_credits', { need: cost, have, ...cases })
  const text = `Treated at ${baseName(world, base)}: ${casesText(cases)}`
  const treasury = baseTreasury(world, base)
  creditMove(world, player, wallet, treasury, cost, 'ship', 'treat', text, { ...cases })
  addStat(world, player, 'credits_spent', cost)
  world.write(Pools).medical[base] -= countOf(cases)
  changePeople(world, ship, healed(cases))
  return ok({
    action: 'treat_personnel',
    provider: 'station',
    ship_id: shipId(world, ship),
    base_id: baseId(world, base),
    ...cases,
    cost,
    supplies_used: 0,
    personnel: renderState(world, ship),
    message: `${casesText(cases)} It cost ${counted(cost, 'credit')}.`,
  })
}

/**
 * Treats injured people of the player's or an ally's ship in the field. Refusals: no_service,
 * invalid_target, not_allied, in_combat, nothing_to_treat, no_supplies.
 */
function treatInField(world: World, player: Eid, params: TreatParams) {
  const own = activeShip(world, player)
  if (!hasSpecial(world, own, FIELD_SPECIAL)) {
    return fail('no_service', undefined, 'Fit a field hospital to treat people in the field.')
  }
  const { target } = params
  const isAlly = target !== undefined && isOther(world, player, target)
  const found = isAlly ? findAlly(world, player, target) : ok(player)
  if (!found.ok) return found
  const patient = found.result
  const ship = activeShip(world, patient)
  const injured = casesOf(world, ship, params)
  if (countOf(injured) === 0) return fail('nothing_to_treat')
  const cases = firstCases(injured, cargoUnits(world, own, SUPPLIES) * PATIENTS_PER_UNIT)
  if (countOf(cases) === 0) return fail('no_supplies', { item_id: GOODS[SUPPLIES].id })
  const used = divCeil(countOf(cases), PATIENTS_PER_UNIT)
  unloadCargo(world, own, namedContainer('consumption'), SUPPLIES, used)
  addStat(world, player, 'consumables_used', used)
  changePeople(world, ship, healed(cases))
  logAction(world, player, 'ship', 'treat', `Treated in the field: ${casesText(cases)}`, {
    ...cases,
  })
  if (isAlly) {
    const people = { ...NO_PEOPLE, fitCrew: cases.crew, fitMarines: cases.marines }
    notifyAlly(world, player, patient, { action: 'treatment', people })
  }
  return ok({
    action: 'treat_personnel',
    provider: 'field',
    ship_id: shipId(world, ship),
    ...(isAlly
      ? {
          target_player_id: playerId(world, patient),
          target_player_name: usernameOf(world, patient),
        }
      : {}),
    ...cases,
    cost: 0,
    supplies_used: used,
    personnel: renderState(world, ship),
    message: `${casesText(cases)} It took ${counted(used, 'unit')} of medical supplies.`,
  })
}

/**
 * Treats people in the faction's reserve here with medical supplies from its store. Refusals:
 * not_in_faction, no_permission, no_faction_storage, nothing_to_treat, no_supplies.
 */
function treatReserve(world: World, player: Eid, params: TreatParams) {
  const denied = permissionRefusal(world, player, 'manage_treasury')
  if (denied) return denied
  const [faction, base] = [factionOf(world, player), dockedBase(world, player)]
  const store = findMainStore(world, faction, base)
  if (!store.ok) return store
  const injured = casesAmong(reserveOf(world, faction, base), params)
  if (countOf(injured) === 0) return fail('nothing_to_treat')
  const goods = storeContainer(world, store.result)
  const supplies = goods === 0 ? 0 : unitsIn(world, goods, SUPPLIES)
  const cases = firstCases(injured, supplies * PATIENTS_PER_UNIT)
  if (countOf(cases) === 0) return fail('no_supplies', { item_id: GOODS[SUPPLIES].id })
  const used = divCeil(countOf(cases), PATIENTS_PER_UNIT)
  moveItems(world, goods, namedContainer('consumption'), SUPPLIES, used)
  closeEmptyStore(world, store.result)
  const reserve = changeReserve(world, faction, base, healed(cases))
  const text = `Treated in the reserve at ${baseName(world, base)}: ${casesText(cases)}`
  const item = { item: SUPPLIES, quantity: used, base }
  recordStoreMove(world, { faction, player, action: 'treat_personnel', summary: text, ...item })
  const ship = activeShip(world, player)
  return ok({
    action: 'treat_personnel',
    provider: 'faction',
    ship_id: shipId(world, ship),
    base_id: baseId(world, base),
    ...cases,
    cost: 0,
    supplies_used: used,
    personnel: renderState(world, ship),
    reserve: renderCounts(reserve),
    message: `${casesText(cases)} It took ${counted(used, 'unit')} of the faction’s medical supplies.`,
  })
}

export const treatPersonnel = mutation({
  name: 'treat_personnel',
  v2: { tool: 'game_ship', action: 'treat_personnel', rename: { target: 'id' } },
  summary: 'Make injured people fit again: at a station, or in the field with a field hospital.',
  category: 'ship',
  params: obj({
    crew: optional(int('Injured crew to treat.', { min: 0, max: PEOPLE_MAX, example: 2 })),
    marines: optional(int('Injured marines to treat.', { min: 0, max: PEOPLE_MAX, example: 2 })),
    provider: optional(
      choice(
        'Who treats: station or field; faction or reserve: treat people in the reserve here.',
        PROVIDERS,
      ),
    ),
    reserve: optional(
      bool('Treat people in the reserve of your faction here, with its medical supplies.'),
    ),
    target: optional(
      str('An ally here, treated in the field; your own ship if absent.', { min: 1 }),
    ),
  }),
  result: treatSchema,
  needs: [DOCKED_FOR_TREATMENT],
  changes: ['player', 'ship', 'cargo', 'location'],
  errors: words(
    'no_service pool_empty no_supplies nothing_to_treat no_credits invalid_target',
    'not_allied in_combat not_in_faction no_permission no_faction_storage',
  ),
  order: 'plain',
  unmanned: true,
  run(world, player, params) {
    const provider = providerOf(world, player, params)
    if (provider === 'reserve') return treatReserve(world, player, params)
    return provider === 'station'
      ? treatAtStation(world, player, params)
      : treatInField(world, player, params)
  },
})
