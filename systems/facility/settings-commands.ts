/** Settings of a facility: price, access, name, description. Source: crafting.md section 7. */
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import {
  FACILITY_NAME_CHARACTERS_MAX,
  FACILITY_NAME_CHARACTERS_MIN,
  FACILITY_TEXT_CHARACTERS_MAX,
  RENTAL_CREDITS_MAX,
} from '../../core/limits.ts'
import { say } from '../../core/say.ts'
import { cleanText, codePointLength, isOneLine } from '../../core/text-rules.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { playerById, usernameOf } from '../account/model.ts'
import { baseId, baseName } from '../base/model.ts'
import { cancelJobsOf } from '../craft/rules.ts'
import { dockedBase } from '../travel/location-model.ts'
import {
  activePersonalFacility,
  type FacilityRequest,
  facilitiesAt,
  facilityId,
  facilityName,
  facilityTypeAt,
} from './model.ts'
import { managedAnywhere, managedHere } from './rules.ts'
import { ACCESS, Facility, OF_FACTION, PRIVATE, PUBLIC } from './state.ts'
import { takesJobs } from './types-model.ts'

const MILLI = 1000

/** Sets the price that others pay for jobs, to a thousandth of a credit. */
export function setOutputPrice(world: World, player: Eid, request: FacilityRequest) {
  const row = managedHere(world, player, request.facility_id ?? '')
  if (typeof row !== 'number') return row
  const message = 'This facility takes no jobs, so it has no price; choose one that makes things.'
  if (!takesJobs(facilityTypeAt(world, row))) return fail('invalid_target', {}, message)
  const price = request.price ?? 0
  const milli = Math.round(price * MILLI)
  if (!(price >= 0 && price <= RENTAL_CREDITS_MAX)) {
    return fail('invalid_price', { min: 0, max: RENTAL_CREDITS_MAX })
  }
  world.write(Facility).priceMilli[row] = milli
  return ok({
    action: 'set_output_price',
    facility_id: facilityId(world, row),
    price: milli / MILLI,
    message: 'The price applies to orders from now on.',
  })
}

/** Opens a facility to everybody, or closes it and cancels the jobs of others. */
export function setAccess(world: World, player: Eid, request: FacilityRequest) {
  const row = managedHere(world, player, request.facility_id ?? '')
  if (typeof row !== 'number') return row
  const { access = 'private' } = request
  world.write(Facility).access[row] = ACCESS.indexOf(access)
  if (access === 'private') cancelJobsOf(world, row, 'external')
  return ok({
    action: 'set_access',
    facility_id: facilityId(world, row),
    access,
    message: access === 'public' ? 'Everybody may use it now.' : 'Only its owner may use it now.',
  })
}

/** Sets or clears the custom name of a facility. */
export function setName(world: World, player: Eid, request: FacilityRequest) {
  const row = managedAnywhere(world, player, request.facility_id ?? '')
  if (typeof row !== 'number') return row
  const [min, max] = [FACILITY_NAME_CHARACTERS_MIN, FACILITY_NAME_CHARACTERS_MAX]
  const rule = { max, unit: 'codepoints', field: 'custom_name', mayBeEmpty: true } as const
  const cleaned = cleanText(request.custom_name ?? '', rule)
  const name = cleaned.ok ? cleaned.result : undefined
  const isShort = name !== undefined && name !== '' && codePointLength(name) < min
  if (name === undefined || isShort || !isOneLine(name)) return fail('invalid_name', { min, max })
  const displayed = name || facilityTypeAt(world, row).name
  if (isStoreNameTaken(world, row, displayed)) {
    const text = `Another store of your faction here is called ${displayed}; choose another name.`
    return fail('name_taken', { field: 'custom_name', custom_name: displayed }, text)
  }
  world.setText(Facility, 'name', row, name)
  return ok({
    action: 'set_name',
    facility_id: facilityId(world, row),
    ...(name === '' ? {} : { custom_name: name }),
    message: name === '' ? 'It has the name of its type again.' : `It is called ${name} now.`,
  })
}

/**
 * Cleans a description; it may be empty. Refusals: invalid_payload, too_long. Source: social.md,
 * texts.
 */
const cleanDescription = (text: string): Outcome<string, 'invalid_payload' | 'too_long'> =>
  cleanText(text, {
    max: FACILITY_TEXT_CHARACTERS_MAX,
    unit: 'codepoints',
    field: 'description',
    mayBeEmpty: true,
  })

/** Sets or clears the description of a facility. */
export function setDescription(world: World, player: Eid, request: FacilityRequest) {
  const row = managedAnywhere(world, player, request.facility_id ?? '')
  if (typeof row !== 'number') return row
  const cleaned = cleanDescription(request.description ?? '')
  if (!cleaned.ok) return cleaned
  const description = cleaned.result
  world.setText(Facility, 'description', row, description)
  return ok({
    action: 'set_description',
    facility_id: facilityId(world, row),
    description,
    message: description === '' ? 'The description is removed.' : 'Visitors read it from now on.',
  })
}

/* Quarters */

/** Returns the player's quarters where they are docked. Refusal: no_quarters. */
function quartersHere(view: WorldView, player: Eid): Row | Failure<'no_quarters'> {
  const quarters = activePersonalFacility(view, player, dockedBase(view, player), 'quarters')
  return quarters === 0 ? fail('no_quarters') : quarters
}

/** Sets description and access of the player's quarters here. */
export function decorateQuarters(world: World, player: Eid, request: FacilityRequest) {
  const row = quartersHere(world, player)
  if (typeof row !== 'number') return row
  const { access } = request
  const cleaned = cleanDescription(request.description ?? '')
  if (!cleaned.ok) return cleaned
  if (request.description !== undefined) world.setText(Facility, 'description', row, cleaned.result)
  const columns = world.write(Facility)
  if (access !== undefined) columns.access[row] = ACCESS.indexOf(access)
  return ok({
    action: 'personal_decorate',
    access: ACCESS[columns.access[row]],
    facility_id: facilityId(world, row),
    facility_name: facilityName(world, row),
    message: 'The settings of your quarters are saved.',
  })
}

/** Shows quarters at the base where the player is docked: their own, or those of another player. */
export function visitQuarters(view: WorldView, player: Eid, { username }: FacilityRequest) {
  const owner = username === undefined ? player : playerById(view, username)
  if (owner === 0) return fail('not_found', { username })
  const base = dockedBase(view, player)
  const row = activePersonalFacility(view, owner, base, 'quarters')
  if (row === 0) {
    const message = say`There are no such quarters here; {facility personal_build} builds your own.`
    return fail('not_found', { base_id: baseId(view, base) }, message)
  }
  const { access, description } = view.read(Facility)
  if (owner !== player && access[row] === PRIVATE) return fail('access_denied')
  const written = view.texts.get(description[row])
  return ok({
    action: 'personal_visit',
    base_id: baseId(view, base),
    owner: usernameOf(view, owner),
    facility_name: facilityName(view, row),
    access: ACCESS[access[row]],
    description:
      written || `${facilityTypeAt(view, row).description} It is at ${baseName(view, base)}.`,
    ...(access[row] === PUBLIC ? {} : { hint: 'Nobody else may come in.' }),
  })
}

/*
 * Names of a faction's stores: no two stores of a faction at a base share a name, since commands
 * refer to a store by its name. Source: factions.md section 4; trade-storage.md section 4.
 */

const STORE_SERVICES: ReadonlySet<string | undefined> = new Set([
  'faction_storage',
  'storage_extension',
])

const isStore = (view: WorldView, row: Row): boolean =>
  view.read(Facility).ownerKind[row] === OF_FACTION &&
  STORE_SERVICES.has(facilityTypeAt(view, row).faction_service_type)

/** Returns true if another store of the same faction here has this name, ignoring case. */
function isStoreNameTaken(view: WorldView, row: Row, name: string): boolean {
  if (!isStore(view, row)) return false
  const { base, faction } = view.read(Facility)
  const key = name.toLowerCase()
  return facilitiesAt(view, base[row]).some(
    (other) =>
      other !== row &&
      faction[other] === faction[row] &&
      isStore(view, other) &&
      facilityName(view, other).toLowerCase() === key,
  )
}

/** Appends a number to the name of a new store if another one here has the name of its type. */
export function numberStore(world: World, row: Row): void {
  const { name } = facilityTypeAt(world, row)
  let number = 1
  let text = name
  while (isStoreNameTaken(world, row, text)) text = `${name} ${++number}`
  if (number > 1) world.setText(Facility, 'name', row, text)
}
