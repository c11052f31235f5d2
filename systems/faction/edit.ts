/** What a faction says of itself, and what it grants its allies. Source: factions.md section 3. */
import { immediate } from '../../core/command.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { TEXT_CHARACTERS_MAX } from '../../core/limits.ts'
import {
  FACTION_CHARTER_CHARACTERS_MAX,
  FACTION_DESCRIPTION_CHARACTERS_MAX,
} from '../../core/limits-faction.ts'
import { bool, bools, obj, opt, optional, str, strings } from '../../core/params.ts'
import { cleanText } from '../../core/text-rules.ts'
import { usernameOf } from '../account/rules.ts'
import { activeFacility } from '../facility/rules.ts'
import { parseColor } from '../settings/rules.ts'
import { DOCKED, dockedBase } from '../travel/rules.ts'
import { Faction } from './columns.ts'
import { factionName, factionOf, needPermission } from './rules.ts'
import { tellFaction } from './tell.ts'

const textParam = (what: string, max: number) =>
  optional(str(`${what}, at most ${max} characters.`, { max: TEXT_CHARACTERS_MAX, example: what }))

/** A text as it is kept; undefined where none is given. */
function textOf(
  value: string | undefined,
  field: string,
  max: number,
): Outcome<string | undefined> {
  if (value === undefined) return ok(undefined)
  return cleanText(value, { max, unit: 'codepoints', field, mayBeEmpty: true })
}

const colorOf = (value: string | undefined, field: string): Outcome<number | undefined> =>
  value === undefined ? ok(undefined) : parseColor(value, field)

/** Toggle of the wire → column. */
const TOGGLES = {
  ally_facility_access: 'allyFacilityAccess',
  ally_fuel_access: 'allyFuelAccess',
  ally_intel_opt_out: 'allyIntelOptOut',
} as const
const TOGGLE_NAMES = ['ally_facility_access', 'ally_fuel_access', 'ally_intel_opt_out'] as const

export const factionEdit = immediate({
  name: 'faction_edit',
  v2: { tool: 'game_faction_admin', action: 'edit' },
  summary:
    'Change what your faction says of itself and grants its allies, at an office of its own.',
  category: 'faction',
  needs: [needPermission('manage_roles'), DOCKED],
  params: obj({
    description: textParam('What outsiders read', FACTION_DESCRIPTION_CHARACTERS_MAX),
    charter: textParam('The rules of the faction', FACTION_CHARTER_CHARACTERS_MAX),
    primary_color: optional(str('#RRGGBB or RRGGBB.', { example: '#2A6FDB' })),
    secondary_color: optional(str('#RRGGBB or RRGGBB.', { example: '#F2B134' })),
    ally_facility_access: optional(bool('Allies may use the facilities.')),
    ally_fuel_access: optional(bool('Allies may take fuel from the bunkers.')),
    ally_intel_opt_out: optional(bool('Allies do not see what the faction knows.')),
  }),
  result: obj({
    ...strings('message'),
    ...opt(strings('hint')),
    updates: obj(
      opt({
        ...strings('description', 'charter', 'primary_color', 'secondary_color'),
        ...bools(...TOGGLE_NAMES),
      }),
    ),
  }),
  errors: ['no_admin_office', 'invalid_color', 'too_long', 'invalid_payload'],
  run(world, player, params) {
    const faction = factionOf(world, player)
    if (activeFacility(world, faction, dockedBase(world, player), 'faction_admin') === 0) {
      return fail('no_admin_office')
    }
    const { description: newWords, charter: newRules } = params
    const description = textOf(newWords, 'description', FACTION_DESCRIPTION_CHARACTERS_MAX)
    if (!description.ok) return description
    const charter = textOf(newRules, 'charter', FACTION_CHARTER_CHARACTERS_MAX)
    if (!charter.ok) return charter
    const primary = colorOf(params.primary_color, 'primary_color')
    if (!primary.ok) return primary
    const secondary = colorOf(params.secondary_color, 'secondary_color')
    if (!secondary.ok) return secondary
    const columns = world.write(Faction)
    for (const [column, text] of [
      ['description', description.result],
      ['charter', charter.result],
    ] as const) {
      if (text !== undefined) world.setText(Faction, column, faction, text)
    }
    if (primary.result !== undefined) columns.primaryColor[faction] = primary.result
    if (secondary.result !== undefined) columns.secondaryColor[faction] = secondary.result
    for (const name of TOGGLE_NAMES) {
      const isOn = params[name]
      if (isOn !== undefined) columns[TOGGLES[name]][faction] = isOn ? 1 : 0
    }
    const updates = {
      ...params,
      ...(description.result === undefined ? {} : { description: description.result }),
      ...(charter.result === undefined ? {} : { charter: charter.result }),
    }
    const name = factionName(world, faction)
    const message = `${usernameOf(world, player)} has changed what ${name} says of itself.`
    tellFaction(world, faction, { event: 'edited', actor: player, message })
    return ok({ message, updates })
  },
})
