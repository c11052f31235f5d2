/**
 * Corrections that an operator makes for a player. Each is an input of the journal with a reason,
 * is booked against the accounts `correction`, appears in the player's action log, and is sent to
 * them. Nothing is undone: a correction is added after what happened. The main thread sends them
 * for operators; players cannot.
 */
import {
  GOODS,
  isModule,
  itemIndex,
  SHIP_CLASSES,
  shipClassIndex,
} from '../../core/catalog/index.ts'
import { immediate } from '../../core/command.ts'
import { seqOfWireId } from '../../core/entity.ts'
import { type Failure, fail, invalidFields, ok } from '../../core/errors.ts'
import { moveItems, namedContainer } from '../../core/goods.ts'
import { balanceOf, canReceive, namedAccount } from '../../core/ledger.ts'
import type { Static } from '../../core/params.ts'
import { answerLater, pendingOf } from '../../core/pending.ts'
import { counted } from '../../core/say.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { usernameOf, walletOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { baseById, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import {
  closeEmptyLocker,
  findGood,
  isStorageNearlyFull,
  lockerOf,
  openLocker,
  storedUnits,
} from '../cargo/model.ts'
import { inBattle } from '../combat/model.ts'
import { creditMove } from '../log/rules.ts'
import { dropTow } from '../salvage/tow-rules.ts'
import {
  activeShip,
  canCarry,
  cargoUnits,
  loadCargo,
  shipById,
  shipId,
  unitsThatFit,
  unloadCargo,
} from '../ship/model.ts'
import { createShip } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { isFleetFull } from '../shipyard/model.ts'
import { isUnderWay } from '../travel/location-model.ts'
import { isUnlisted, poiById, poiName } from '../travel/model.ts'
import { dockShip, placeInSpace } from '../travel/rules.ts'
import { Poi } from '../travel/state.ts'
import { notifyPlayer, record, sentence } from './rules.ts'
import { correctionResult, grantParams, moveParams, restoreParams } from './schemas.ts'
import { REASON_CHARACTERS_MAX, RESTORED_SHIPS } from './state.ts'

const internal = { category: 'internal', open: true, needs: [], result: correctionResult } as const

/** Returns the player, and the reason in the form in which it is stored. */
function readHead(view: WorldView, { player: number, reason }: { player: number; reason: string }) {
  const player = view.rowOf(Player, number)
  if (player === 0) return fail('player_not_found')
  const rule = { max: REASON_CHARACTERS_MAX, unit: 'codepoints', field: 'reason' } as const
  const text = cleanText(reason, rule)
  return text.ok ? ok({ player, reason: text.result }) : text
}

/** Refusals of every correction. */
const HEAD_ERRORS = ['player_not_found', 'invalid_payload', 'too_long'] as const

/* Messages for operators: those of the error table are written for players. */

const NO_SHIP = 'The player flies no ship of their own at the moment.'

const noBase = (base_id: string) =>
  fail('station_not_found', { base_id }, `There is no base “${base_id}”: name one by its id.`)

/* Credits and goods */

type GrantParams = Static<typeof grantParams>

function grantCredits(world: World, player: Eid, credits: number, reason: string) {
  const wallet = walletOf(world, player)
  const balance = balanceOf(world, wallet)
  if (credits < 0 && balance < -credits) {
    const text = `The wallet holds ${counted(balance, 'credit')}: no more can be taken back.`
    return fail('no_credits', { need: -credits, have: balance }, text)
  }
  if (credits > 0 && !canReceive(world, wallet, credits)) {
    return fail('amount_too_large', {}, 'The wallet cannot hold that much more: give less.')
  }
  const source = namedAccount('correction')
  const amount = counted(Math.abs(credits), 'credit')
  const message =
    credits > 0 ? `An operator gave you ${amount}.` : `An operator took back ${amount}.`
  const correction = { player, kind: 'grant', message, reason } as const
  const [from, to] = credits > 0 ? [source, wallet] : [wallet, source]
  const verb = 'correction_grant'
  const data = { reason }
  creditMove(world, player, from, to, Math.abs(credits), 'other', verb, sentence(correction), data)
  notifyPlayer(world, correction)
  return ok({ message, tick: world.tick, balance: balanceOf(world, wallet) })
}

interface Goods {
  readonly player: Eid
  readonly item: number
  readonly units: number
  /** The base in whose storage they are; 0: in the hold of the ship flown. */
  readonly base: Row
}

const heldUnits = (view: WorldView, { player, item, base }: Goods): number =>
  base === 0
    ? cargoUnits(view, activeShip(view, player), item)
    : storedUnits(view, player, base, item)

/** Refuses goods that are not there to take back, or have no room. */
function goodsRefusal(view: WorldView, goods: Goods) {
  const { player, item, units, base } = goods
  const item_id = GOODS[item].id
  const ship = activeShip(view, player)
  if (base === 0 && ship === 0) return fail('no_ship', {}, `${NO_SHIP} Name a base instead.`)
  const have = heldUnits(view, goods)
  if (units < 0) {
    if (have >= -units) return undefined
    const text = `Only ${counted(have, 'unit')} of ${item_id} are there to take back.`
    return fail('insufficient_items', { item_id, need: -units, have }, text)
  }
  if (isStorageNearlyFull(view)) return fail('limit_reached')
  if (base !== 0) return undefined
  if (!canCarry(view, ship, item)) {
    const text = `The ship flown has no module to handle ${item_id}: name a base instead.`
    return fail('hazard_not_supported', { item_id }, text)
  }
  const fits = unitsThatFit(view, ship, item)
  if (fits >= units) return undefined
  const text = `The hold takes ${counted(fits, 'unit')} of ${item_id} more: name a base instead.`
  return fail('no_cargo_space', { item_id, need: units, fits }, text)
}

function moveGoods(world: World, { player, item, units, base }: Goods): void {
  const source = namedContainer('correction')
  const ship = activeShip(world, player)
  if (base === 0 && units > 0) loadCargo(world, ship, source, item, units)
  else if (base === 0) unloadCargo(world, ship, source, item, -units)
  else if (units > 0) moveItems(world, source, openLocker(world, player, base), item, units)
  else {
    moveItems(world, lockerOf(world, player, base), source, item, -units)
    closeEmptyLocker(world, player, base)
  }
}

function grantGoods(world: World, goods: Goods, reason: string) {
  const { player, item, units, base } = goods
  const good = GOODS[item]
  if (good.quest_item === true) {
    const text = `${good.id} is bound to missions: no correction gives or takes it.`
    return fail('quest_item', { item_id: good.id }, text)
  }
  const refused = goodsRefusal(world, goods)
  if (refused) return refused
  moveGoods(world, goods)
  const amount = `${Math.abs(units)} ${good.name}`
  const place = base === 0 ? 'the hold of your ship' : `your storage at ${baseName(world, base)}`
  const message =
    units > 0
      ? `An operator gave you ${amount}, in ${place}.`
      : `An operator took back ${amount} from ${place}.`
  const data = { item_id: good.id, quantity: units }
  record(world, { player, kind: 'grant', message, reason }, data)
  return ok({ message, tick: world.tick, held: heldUnits(world, goods), place })
}

function readGoods(view: WorldView, player: Eid, params: GrantParams) {
  const { item_id, quantity, base: text } = params
  if (item_id === undefined || quantity === undefined || quantity === 0) {
    const expected = 'named together, and quantity other than 0'
    return invalidFields({ field: 'item_id and quantity', expected })
  }
  const found = findGood(item_id)
  if (!found.ok) return found
  const base = text === undefined ? 0 : baseById(view, text)
  if (text !== undefined && base === 0) return noBase(text)
  return ok({ player, item: found.result, units: quantity, base })
}

export const grant = immediate({
  ...internal,
  name: 'internal:correct_grant',
  summary: 'An operator gives a player credits or goods, or takes them back, for a reason.',
  params: grantParams,
  errors: [
    ...HEAD_ERRORS,
    'no_credits',
    'amount_too_large',
    'unknown_item',
    'station_not_found',
    'quest_item',
    'no_ship',
    'insufficient_items',
    'limit_reached',
    'hazard_not_supported',
    'no_cargo_space',
  ],
  run(world, _player, params) {
    const head = readHead(world, params)
    if (!head.ok) return head
    const { player, reason } = head.result
    const { credits, item_id } = params
    if ((credits === undefined) === (item_id === undefined)) {
      return invalidFields({ field: 'credits or item_id', expected: 'given, one of the two' })
    }
    if (credits !== undefined) {
      if (credits !== 0) return grantCredits(world, player, credits, reason)
      return invalidFields({ field: 'credits', expected: 'other than 0' })
    }
    const goods = readGoods(world, player, params)
    return goods.ok ? grantGoods(world, goods.result, reason) : goods
  },
})

/* Places */

/** Finds a base to dock at, or a place in space, by id. */
function findPlace(view: WorldView, text: string) {
  const base = baseById(view, text)
  if (base !== 0) return ok({ base, poi: view.read(Base).poi[base], name: baseName(view, base) })
  const poi = poiById(view, text)
  if (poi === 0 || view.read(Poi).alive[poi] === 0) {
    const sentence = `There is no base or place “${text}”: name one by its id.`
    return fail('invalid_poi', { poi_id: text }, sentence)
  }
  return ok({ base: 0, poi, name: poiName(view, poi) })
}

function moveRefusal(
  view: WorldView,
  player: Eid,
  ship: Eid,
): Failure<'no_ship' | 'in_combat' | 'already_in_match'> | undefined {
  if (ship === 0) return fail('no_ship', {}, NO_SHIP)
  if (inBattle(view, player)) {
    return fail('in_combat', {}, 'The player is in a battle: move their ship once that is over.')
  }
  if (!isUnlisted(view, ship)) return undefined
  return fail('already_in_match', {}, 'The ship is in a match: move it once that is over.')
}

export const move = immediate({
  ...internal,
  name: 'internal:correct_move',
  summary: "An operator puts a player's ship at another place, for a reason.",
  params: moveParams,
  errors: [...HEAD_ERRORS, 'no_ship', 'in_combat', 'already_in_match', 'invalid_poi'],
  run(world, _player, params) {
    const head = readHead(world, params)
    if (!head.ok) return head
    const { player, reason } = head.result
    const { to } = params
    const ship = activeShip(world, player)
    const refused = moveRefusal(world, player, ship)
    if (refused) return refused
    const found = findPlace(world, to)
    if (!found.ok) return found
    const { base, poi, name } = found.result
    dropTow(world, ship)
    if (isUnderWay(world, ship) && pendingOf(world, player)) {
      const text = 'An operator has moved your ship; the flight is off.'
      answerLater(world, player, fail('location_changed', {}, text))
    }
    placeInSpace(world, ship, poi)
    if (base !== 0) dockShip(world, ship, base)
    const message =
      base === 0
        ? `An operator put your ship at ${name}.`
        : `An operator docked your ship at ${name}.`
    record(world, { player, kind: 'move', message, reason }, { place: to })
    return ok({ message, tick: world.tick, place: name })
  },
})

/* Ships */

interface LostShip {
  /** Durable number of the ship that was lost. */
  readonly number: number
  readonly shipClass: number
  readonly modules: readonly number[]
  readonly base: Row
}

const SLOTS = ['weapon', 'defense', 'utility'] as const

/** Refuses modules that the slots of a class have no room for. */
function fitRefusal(shipClass: number, modules: readonly number[]): Failure<'no_slot'> | undefined {
  const row = SHIP_CLASSES[shipClass]
  for (const slot of SLOTS) {
    const fitted = modules.filter((good) => {
      const module = GOODS[good]
      return isModule(module) && module.slot === slot
    })
    if (fitted.length > row[`${slot}_slots`]) {
      const text = `Ships of class ${row.id} have fewer ${slot} slots than those modules take.`
      return fail('no_slot', { slot }, text)
    }
  }
  return undefined
}

function readShip(world: WorldView, params: Static<typeof restoreParams>) {
  const { lost_ship_id: ship_id, design: class_id, modules, base: text } = params
  const number = seqOfWireId(world.seed, Ship.name, ship_id)
  if (number === 0) return fail('ship_not_found', { ship_id }, `No ship has the id “${ship_id}”.`)
  const left = shipById(world, ship_id)
  if (left !== 0) {
    const owner = world.read(Ship).owner[left]
    const whose = owner === 0 ? 'nobody' : usernameOf(world, owner)
    return fail('invalid_target', { ship_id }, `That ship is not lost: it belongs to ${whose}.`)
  }
  if (world.records(RESTORED_SHIPS).has(String(number))) {
    return fail('invalid_target', { ship_id }, 'That ship has already been given back.')
  }
  const shipClass = shipClassIndex(class_id)
  if (shipClass < 0) return fail('unknown_class', { class_id })
  const goods = modules.map(itemIndex)
  const unknown = goods.findIndex((good) => good < 0 || !isModule(GOODS[good]))
  if (unknown >= 0) return fail('unknown_item', { item_id: modules[unknown] })
  const base = baseById(world, text)
  if (base === 0) return noBase(text)
  const lost: LostShip = { number, shipClass, modules: goods, base }
  return fitRefusal(shipClass, goods) ?? ok(lost)
}

export const restoreShip = immediate({
  ...internal,
  name: 'internal:correct_restore_ship',
  summary: 'An operator gives a player back a lost ship, docked and empty, for a reason.',
  params: restoreParams,
  errors: [
    ...HEAD_ERRORS,
    'ship_not_found',
    'invalid_target',
    'unknown_class',
    'unknown_item',
    'station_not_found',
    'no_slot',
    'ship_limit',
  ],
  run(world, _player, params) {
    const head = readHead(world, params)
    if (!head.ok) return head
    const { player, reason } = head.result
    const read = readShip(world, params)
    if (!read.ok) return read
    if (isFleetFull(world, player)) {
      return fail('ship_limit', {}, 'The player already owns the most ships that a player may.')
    }
    const { number, shipClass, modules, base } = read.result
    // Fitted modules are not goods in circulation, and are booked as such.
    for (const good of modules) {
      moveItems(world, namedContainer('correction'), namedContainer('fitted'), good, 1)
    }
    const ship = createShip(world, { owner: player, shipClass, modules })
    dockShip(world, ship, base)
    world.records(RESTORED_SHIPS).set(String(number), world.read(Ship).seq[ship])
    const { name } = SHIP_CLASSES[shipClass]
    const message = `An operator gave your lost ${name} back; it is docked at ${baseName(world, base)}.`
    const ids = { ship_id: shipId(world, ship), old_ship_id: params.lost_ship_id }
    record(world, { player, kind: 'restore_ship', message, reason }, ids)
    return ok({ message, tick: world.tick, ...ids, modules: params.modules })
  },
})
