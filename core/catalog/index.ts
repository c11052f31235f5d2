/** The entry point to the game data: everything that the rest of the server reads of it. */

export type {
  AchievementRewards,
  AchievementRow,
  Criterion,
  CriterionOp,
} from './achievement-row.ts'
export { renderCriteria, SKILL_COUNTER, wordedCounters } from './achievement-words.ts'
export {
  ACHIEVEMENT_CREDITS_MAX,
  ACHIEVEMENT_CREDITS_SUM_MAX,
  ACHIEVEMENTS,
  achievementEntry,
  FACTION_ACHIEVEMENTS,
  isPaying,
} from './achievements.ts'
export {
  CHALLENGES,
  challengeById,
  FIGHTERS,
  type FighterRow,
  fighterIndex,
} from './arena.ts'
export {
  type ChallengeRow,
  type Enemy,
  LOADOUT_RULES,
  type LoadoutRule,
  type LoadoutRuleName,
  type Wave,
} from './arena-challenges.ts'
export { type CreatureRow, HABITATS, type Habitat, NATURES } from './creature-row.ts'
export {
  CREATURES,
  creatureIndex,
} from './creatures.ts'
export { CREWS, type CrewRow } from './crews.ts'
export { CARGO_CREDITS, DERELICT_GOODS, HULKS, type HulkRow, type Span } from './derelicts.ts'
export { EMPIRE_NPCS, type EmpireNpcRow, empireNpcIndex } from './empire-npcs.ts'
export {
  EMPIRE_IDS,
  EMPIRES,
  empireIndex,
  RESERVED_CONTAINS,
  RESERVED_EQUALS,
  STARTER,
} from './empires.ts'
export { chainOf, ESSENTIALS, essentialsAt, MAKINGS, YARD_PARTS } from './essentials.ts'
export { FACILITIES, facilityTypeIndex, facilityTypeOf, runsRecipe } from './facilities.ts'
export {
  FIRST_MODULE,
  findGoods,
  findShipClasses,
  GOODS,
  goodOf,
  isModule,
  itemIndex,
  shipClassIndex,
  shipClassOf,
  skillIndex,
  skillOf,
} from './goods.ts'
export type * from './industry-types.ts'
export { ITEMS, RARITIES, rarityRank } from './items.ts'
export { generateGalaxy } from './map.ts'
export { importPct } from './map-stock.ts'
export { DEPLETION_FLOOR_PCT, MINING, OVERKILL_RATIO, PRECISION_K } from './mining.ts'
export { errandSize, goodsCredits } from './mission-row.ts'
export type * from './mission-types.ts'
export { OBJECTIVE_TYPES } from './mission-types.ts'
export {
  BOARD_REPEATABLE,
  MISSIONS,
  missionFaults,
  missionTemplate,
  OBJECTIVES_MAX,
  RESCUES,
} from './missions.ts'
export { escortTemplate } from './missions-escort.ts'
export { MODULES, precisionMilli } from './modules.ts'
export {
  BOSS,
  type LootDraw,
  PIRATES,
  type PirateRow,
  PROWLER_TICKS,
  packAt,
  pirateName,
  prowlerPct,
} from './pirates.ts'
export { POLICE_SHIP_CLASS, policeAt, policeFigures, policeName, policeStrength } from './police.ts'
export { RADIO, type RadioEvent, type RadioRow } from './radio.ts'
export { RECIPES, recipeIndex, recipeMilliTicks, recipeOf } from './recipes.ts'
export { REGIONS, SIGNATURES } from './regions.ts'
export {
  SEASON_ROUND_TICKS,
  SEASON_STEP_TICKS,
  SEASON_TICKS,
  SEASONS,
  SEASONS_AT_ONCE,
  type SeasonRow,
  seasonFaults,
} from './seasons.ts'
export { loadoutOf, SHIP_CLASSES } from './ships.ts'
export { SKILL_CATEGORIES, SKILL_LEVEL_MAX, SKILLS, XP_PER_LEVEL } from './skills.ts'
export type * from './types.ts'
export { facilityEntry, recipeEntry, wireEntry } from './wire.ts'
