/** Wire shapes of creatures. */
import { ints, obj, opt, strings } from '../../core/params.ts'

/** What a survey tells of a species in a system. */
export const wildlifeSchema = obj({
  ...strings('species', 'name', 'role', 'abundance'),
  ...ints('estimate'),
  ...opt(ints('ranched')),
})
