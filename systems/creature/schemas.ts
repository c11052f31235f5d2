/** Wire shapes of creatures. */
import { ints, obj, opt, strings } from '../../core/params.ts'

/** A species in the survey of a system. */
export const wildlifeSchema = obj({
  ...strings('species', 'name', 'role', 'abundance'),
  ...ints('estimate'),
  ...opt(ints('ranched')),
})
