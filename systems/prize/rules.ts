/** Prizes as other domains use them: which hull is one, whose, how one begins and ends. */
export {
  claimantOf,
  endPrize,
  hurryPrize,
  prizeById,
  prizeId,
  prizeOf,
  prizesAt,
} from './holdings.ts'
export { homeOfCaptors, losePrize, openPrize, type Taken } from './taking.ts'
