/** Fits and hangars as other domains use them: taking up another hull, taking one apart. */
export {
  type Dismantled,
  dismantle,
  type Hold,
  isParked,
  refusesStoring,
  replaceIssue,
  storeHold,
} from './dismantle.ts'
export {
  garageCapacity,
  garagedAt,
  garagedById,
  garagedShips,
  garageOf,
  refusesGarage,
  storeInGarage,
} from './garage.ts'
export { layUp, takeUp } from './take-up.ts'
