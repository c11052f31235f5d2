/** What fleets say of their members. */
import { grant } from '../../core/guard.ts'
import { allied } from '../account/columns.ts'
import { areMates } from './rules.ts'

export const matesStandTogether = grant(allied, (view, { player, other }) =>
  areMates(view, player, other),
)
