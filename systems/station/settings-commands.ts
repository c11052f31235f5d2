/**
 * The settings of a faction's base. Each function checks and writes one setting, and returns a
 * sentence that says what is in effect now. Source: crafting.md section 8, station command.
 */
import { type Failure, fail } from '../../core/errors.ts'
import { counted } from '../../core/say.ts'
import { cleanText } from '../../core/text-rules.ts'
import { dayOfTick } from '../../core/time.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { playerById, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { invalidateStationNames } from '../account/usernames-model.ts'
import { Base } from '../base/state.ts'
import { factionByText, factionTag } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { forgetPlaceNames } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'
import { fuelPriceAt, guestsOf, isHost, repairPriceAt, withAccess } from './model.ts'
import { nameFor, setGuests } from './rules.ts'
import {
  GATED_SERVICES,
  type GatedService,
  type Guests,
  type ServiceAccess,
  STATION_DESCRIPTION_CHARACTERS_MAX,
  STATION_FEE_PCT_MAX,
  STATION_FUEL_PRICE_MAX,
  STATION_LIST_MAX,
  STATION_NAMINGS_PER_DAY_MAX,
  STATION_NOTICE_TICKS,
  STATION_REPAIR_PRICE_MAX,
  Station,
} from './state.ts'

/** Parameters of all actions of `station`; the schemas have checked their shapes. */
export interface StationRequest {
  readonly access?: ServiceAccess
  readonly allow_outsiders?: boolean
  readonly auto_buy_fuel?: boolean
  readonly description?: string
  readonly faction?: string
  readonly fee_percent?: number
  readonly name?: string
  readonly player?: string
  readonly price?: number
  readonly public?: boolean
  readonly service?: string
}

/** Changes a setting and returns a sentence about it; or refuses, and then writes nothing. */
export type Setting = (
  world: World,
  base: Eid,
  request: StationRequest,
  player: Eid,
) => string | Failure

/* Name and description */

/** Returns how often a base was renamed today. */
function namingsToday(view: WorldView, base: Eid): number {
  const { namedDay, named } = view.read(Station)
  return namedDay[base] === dayOfTick(view.tick) ? named[base] : 0
}

/** Renames the base. Refusals: invalid_name, name_taken, limit_reached. */
export const setName: Setting = (world, base, { name: given = '' }) => {
  const name = nameFor(world, given, base)
  if (typeof name !== 'string') return name
  const namings = namingsToday(world, base)
  if (namings >= STATION_NAMINGS_PER_DAY_MAX) {
    return fail('limit_reached', {
      max: STATION_NAMINGS_PER_DAY_MAX,
      of: 'new names of a station a day',
    })
  }
  const { namedDay, named } = world.write(Station)
  namedDay[base] = dayOfTick(world.tick)
  named[base] = namings + 1
  world.setText(Base, 'name', base, name)
  world.setText(Poi, 'name', world.read(Base).poi[base], name)
  invalidateStationNames(world)
  forgetPlaceNames(world)
  return `The base is now called ${name}.`
}

/** Sets what visitors read. Refusals: too_long, invalid_payload. */
export const setDescription: Setting = (world, base, { description = '' }) => {
  const text = cleanText(description, {
    max: STATION_DESCRIPTION_CHARACTERS_MAX,
    unit: 'codepoints',
    field: 'description',
    mayBeEmpty: true,
  })
  if (!text.ok) return text
  world.setText(Base, 'description', base, text.result)
  world.setText(Poi, 'description', world.read(Base).poi[base], text.result)
  return 'Visitors now read the new description.'
}

/* Switches */

export const setPublic: Setting = (world, base, { public: isOpen = false }) => {
  world.write(Station).open[base] = isOpen ? 1 : 0
  return isOpen ? 'Everybody who is not banned may dock.' : 'Only members and guests may dock.'
}

export const setBuildPolicy: Setting = (world, base, { allow_outsiders = false }) => {
  world.write(Station).outsidersBuild[base] = allow_outsiders ? 1 : 0
  return allow_outsiders ? 'Outsiders may build here.' : 'Only members may build here.'
}

export const setAutoBuyFuel: Setting = (world, base, { auto_buy_fuel = false }) => {
  world.write(Station).buysFuel[base] = auto_buy_fuel ? 1 : 0
  return auto_buy_fuel
    ? 'The treasury pays pilots for fuel while it has credits and the tank has room.'
    : 'The station no longer buys fuel.'
}

/** Sets who may use a service. Refusal: invalid_service. */
export const setServiceAccess: Setting = (world, base, { service = '', access = 'public' }) => {
  const name = service.trim().toLowerCase()
  if (!(GATED_SERVICES as readonly string[]).includes(name)) {
    return fail('invalid_service', { service, services: GATED_SERVICES.join(', ') })
  }
  const { access: bits } = world.write(Station)
  bits[base] = withAccess(bits[base], name as GatedService, access)
  return `The service ${name} is now open to: ${access === 'public' ? 'everybody' : access}.`
}

/* Prices */

const numberRefusal = (value: number, max: number): Failure<'invalid_price'> | undefined =>
  value >= 0 && value <= max ? undefined : fail('invalid_price', { min: 0, max })

/** Sets the listing fee of outsiders. Refusal: invalid_price. */
export const setMarketFee: Setting = (world, base, { fee_percent: pct = 0 }) => {
  const refused = numberRefusal(pct, STATION_FEE_PCT_MAX)
  if (refused) return refused
  world.write(Station).feePct[base] = pct
  return pct === 0 ? 'Outsiders pay the usual listing fee.' : `Outsiders pay ${pct} % for listing.`
}

const priceMessage = (price: number, tick: number): string =>
  `${price === 0 ? 'The usual price' : `A price of ${counted(price, 'credit')}`} applies from tick ${tick} on.`

/** Announces a price of fuel. Refusal: invalid_price. */
export const setRefuelPrice: Setting = (world, base, { price = 0 }) => {
  const refused = numberRefusal(price, STATION_FUEL_PRICE_MAX)
  if (refused) return refused
  const currentPrice = fuelPriceAt(world, base)
  const station = world.write(Station)
  station.fuelPrice[base] = currentPrice
  station.fuelNext[base] = price
  station.fuelTick[base] = world.tick + STATION_NOTICE_TICKS
  return priceMessage(price, station.fuelTick[base])
}

/** Announces a price of repair. Refusal: invalid_price. */
export const setRepairPrice: Setting = (world, base, { price = 0 }) => {
  const refused = numberRefusal(price, STATION_REPAIR_PRICE_MAX)
  if (refused) return refused
  const currentPrice = repairPriceAt(world, base)
  const station = world.write(Station)
  station.repairPrice[base] = currentPrice
  station.repairNext[base] = price
  station.repairTick[base] = world.tick + STATION_NOTICE_TICKS
  return priceMessage(price, station.repairTick[base])
}

/* Guests */

const without = (list: readonly number[], number: number) =>
  list.filter((entry) => entry !== number)

const listFullRefusal = (list: readonly number[]): Failure<'limit_reached'> | undefined =>
  list.length >= STATION_LIST_MAX
    ? fail('limit_reached', { max: STATION_LIST_MAX, of: 'entries of a list' })
    : undefined

/**
 * Adds a number to one of the guest lists, unless it is there already; `changed` replaces other
 * lists. Refusal: limit_reached.
 */
function addGuest(
  world: World,
  base: Eid,
  list: keyof Guests,
  number: number,
  changed: Partial<Guests> = {},
): Failure<'limit_reached'> | undefined {
  const guests = guestsOf(world, base)
  if (guests[list].includes(number)) return undefined
  const full = listFullRefusal(guests[list])
  if (full) return full
  setGuests(world, base, { ...guests, ...changed, [list]: [...guests[list], number] })
  return undefined
}

const noPlayer = (player: string | undefined) => fail('player_not_found', { player })
const noFaction = (faction: string | undefined) => fail('faction_not_found', { faction })

/** Admits a player, and lifts their ban (ours). Refusals: player_not_found, limit_reached. */
export const allowPlayer: Setting = (world, base, { player: name = '' }) => {
  const player = playerById(world, name)
  if (player === 0) return noPlayer(name)
  const number = world.read(Player).seq[player]
  const banned = without(guestsOf(world, base).banned, number)
  const refused = addGuest(world, base, 'players', number, { banned })
  return refused ?? `${usernameOf(world, player)} may dock.`
}

/** Makes the setting that takes a player off one of the lists. Refusal: player_not_found. */
const removalFrom =
  (list: 'players' | 'banned', outcome: string): Setting =>
  (world, base, { player: name = '' }) => {
    const player = playerById(world, name)
    const guests = guestsOf(world, base)
    const number = player === 0 ? 0 : world.read(Player).seq[player]
    if (number === 0 || !guests[list].includes(number)) return noPlayer(name)
    setGuests(world, base, { ...guests, [list]: without(guests[list], number) })
    return `${usernameOf(world, player)} ${outcome}.`
  }

export const removePlayer = removalFrom('players', 'is no longer a guest')
export const unban = removalFrom('banned', 'is no longer banned')

/**
 * Bans a player. Refusals: player_not_found, no_permission, limit_reached. ours: members cannot be
 * banned, or an officer could lock the leader out.
 */
export const ban: Setting = (world, base, { player: name = '' }) => {
  const player = playerById(world, name)
  if (player === 0) return noPlayer(name)
  if (isHost(world, player, base)) {
    const message = 'A member of the faction cannot be banned; kick them first.'
    return fail('no_permission', { required: 'kick' }, message)
  }
  const number = world.read(Player).seq[player]
  const players = without(guestsOf(world, base).players, number)
  const refused = addGuest(world, base, 'banned', number, { players })
  return refused ?? `${usernameOf(world, player)} is banned.`
}

/** Admits the members of a faction. Refusals: faction_not_found, limit_reached. */
export const allowFaction: Setting = (world, base, { faction: name = '' }) => {
  const faction = factionByText(world, name)
  if (faction === 0) return noFaction(name)
  // Disbanded factions are dropped from the list, which makes room.
  const factions = guestsOf(world, base).factions.filter(
    (entry) => world.rowOf(Faction, entry) !== 0,
  )
  const number = world.read(Faction).seq[faction]
  const full = factions.includes(number) ? undefined : listFullRefusal(factions)
  if (full) return full
  const listed = [...without(factions, number), number]
  setGuests(world, base, { ...guestsOf(world, base), factions: listed })
  return `Members of ${factionTag(world, faction)} may dock.`
}

/** No longer admits the members of a faction. Refusal: faction_not_found. */
export const removeFaction: Setting = (world, base, { faction: name = '' }) => {
  const faction = factionByText(world, name)
  const guests = guestsOf(world, base)
  const number = faction === 0 ? 0 : world.read(Faction).seq[faction]
  if (number === 0 || !guests.factions.includes(number)) return noFaction(name)
  setGuests(world, base, { ...guests, factions: without(guests.factions, number) })
  return `Members of ${factionTag(world, faction)} are no longer guests.`
}
