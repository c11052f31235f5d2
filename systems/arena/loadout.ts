/** What a challenge asks of the ships that take it up: a rule and its error code each. */
import type {
  ChallengeRow,
  LoadoutRule,
  LoadoutRuleName,
} from '../../core/catalog/arena-challenges.ts'
import { type ModuleRow, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { type ErrorCode, type Failure, fail } from '../../core/errors.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/rules.ts'
import { buffsOf } from '../consumable/rules.ts'
import { Ship } from '../ship/columns.ts'
import { modulesOf, moduleTypeOf } from '../ship/rules.ts'

/** What of a ship the rules look at. */
export interface Loadout {
  readonly tier: number
  readonly scale: number
  /** AU a tick. */
  readonly speed: number
  readonly fit: readonly ModuleRow[]
  readonly boosters: number
  readonly cargoUsed: number
  /** Ships of its side. */
  readonly sideSize: number
}

type Breaks = (loadout: Loadout, rule: LoadoutRule) => boolean

const exceeds = (value: number, { max = 0 }: LoadoutRule): boolean => value > max
const hasAny = ({ fit }: Loadout, test: (row: ModuleRow) => boolean): boolean => fit.some(test)
const weapons = ({ fit }: Loadout): ModuleRow[] => fit.filter(({ slot }) => slot === 'weapon')
const above = (value: number | undefined): boolean => (value ?? 0) > 0

const BREAKS: Readonly<Record<LoadoutRuleName, Breaks>> = {
  hull_tier: (loadout, rule) => exceeds(loadout.tier, rule),
  hull_scale: (loadout, rule) => exceeds(loadout.scale, rule),
  max_speed: (loadout, rule) => exceeds(loadout.speed, rule),
  max_weapons: (loadout, rule) => exceeds(weapons(loadout).length, rule),
  damage_type: (loadout, { type }) =>
    weapons(loadout).some((row) => above(row.damage) && row.damage_type !== type),
  no_ammo_weapons: (loadout) => weapons(loadout).some((row) => above(row.magazine_size)),
  no_drones: (loadout) => hasAny(loadout, (row) => above(row.drone_capacity)),
  no_boosters: ({ boosters }) => boosters > 0,
  no_shield_modules: (loadout) =>
    hasAny(loadout, (row) => above(row.shield_bonus) || above(row.shield_recharge_bonus)),
  no_repair: (loadout) =>
    hasAny(loadout, (row) => above(row.armor_repair_rate) || above(row.remote_repair_power)),
  no_tackle: (loadout) =>
    hasAny(
      loadout,
      (row) =>
        above(row.disruptor_power) || above(row.scramble_power) || above(row.webify_strength),
    ),
  empty_hold: ({ cargoUsed }) => cargoUsed > 0,
  side_size: ({ sideSize }, rule) => exceeds(sideSize, rule),
}

/** True when a ship breaks a rule. */
const breaks = (loadout: Loadout, rule: LoadoutRule): boolean => BREAKS[rule.rule](loadout, rule)

function loadoutOf(view: WorldView, ship: Eid, sideSize: number): Loadout {
  const { class: shipClass, scale, speed, cargoUsed } = view.read(Ship)
  return {
    tier: SHIP_CLASSES[shipClass[ship]].tier,
    scale: scale[ship],
    speed: speed[ship],
    fit: modulesOf(view, ship).map((row) => moduleTypeOf(view, row)),
    boosters: buffsOf(view, ship).length,
    cargoUsed: cargoUsed[ship],
    sideSize,
  }
}

/** The first rule that a loadout breaks, as a refusal: rule_<name>. */
export function refusesFit(
  loadout: Loadout,
  rules: readonly LoadoutRule[],
  of: { readonly pilot: string; readonly hull: string },
): Failure | undefined {
  const broken = rules.find((rule) => breaks(loadout, rule))
  return broken && fail(`rule_${broken.rule}` as ErrorCode, { ...of, ...broken })
}

/** The first rule that a ship of the side breaks, as a refusal for all of it. */
export function refusesLoadout(
  view: WorldView,
  { rules }: ChallengeRow,
  side: readonly Eid[],
): Failure | undefined {
  const { owner, class: shipClass } = view.read(Ship)
  for (const ship of side) {
    const of = { pilot: usernameOf(view, owner[ship]), hull: SHIP_CLASSES[shipClass[ship]].id }
    const refused = refusesFit(loadoutOf(view, ship, side.length), rules, of)
    if (refused) return refused
  }
  return undefined
}
