/** The guides of `get_guide`, in the order they are listed. Their texts are one file each. */
import { marked } from '../say.ts'
import { deepFreeze } from './freeze.ts'
import { ARENA } from './guides/arena.ts'
import { BOARDER } from './guides/boarder.ts'
import { DRONES } from './guides/drones.ts'
import { EXPLORER } from './guides/explorer.ts'
import { FITTING } from './guides/fitting.ts'
import { FUEL } from './guides/fuel.ts'
import { GETTING_STARTED } from './guides/getting-started.ts'
import type { GuideRow } from './guides/guide-row.ts'
import { LAW } from './guides/law.ts'
import { MINER } from './guides/miner.ts'
import { PIRATE_HUNTER } from './guides/pirate-hunter.ts'
import { SALVAGER } from './guides/salvager.ts'
import { SHIPYARD } from './guides/shipyard.ts'
import { TRADER } from './guides/trader.ts'
import { WILDLIFE } from './guides/wildlife.ts'

export type { GuideRow }

const WRITTEN: readonly GuideRow[] = [
  GETTING_STARTED,
  MINER,
  TRADER,
  SHIPYARD,
  EXPLORER,
  FUEL,
  FITTING,
  LAW,
  SALVAGER,
  BOARDER,
  DRONES,
  PIRATE_HUNTER,
  ARENA,
  WILDLIFE,
]

export const GUIDES: readonly GuideRow[] = deepFreeze(
  WRITTEN.map((row) => ({ ...row, content: marked(row.content) })),
)
