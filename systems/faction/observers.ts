/** What factions say of their members. */
import { grant } from '../../core/guard.ts'
import { allied } from '../account/columns.ts'
import { areFellows } from './rules.ts'

export const fellowsStandTogether = grant(allied, (view, { player, other }) =>
  areFellows(view, player, other),
)
