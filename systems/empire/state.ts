/** Empires: their treasuries. Their policies are catalogue data. */
import { defineTable, ref } from '../../core/columns.ts'

/** An empire; row i + 1 is EMPIRES[i]. */
export const Empire = defineTable(
  'empire',
  16,
  { treasury: ref('account', 'taxes and fees of the empire') },
  { fixed: true },
)
