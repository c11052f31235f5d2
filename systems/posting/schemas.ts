/** Wire shapes of the results of posting commands. Source: contract, FactionPostMissionResponse. */
import { bools, ints, list, mapOf, obj, opt, optional, strings, Type } from '../../core/params.ts'

export const postedSchema = obj({
  ...strings('status', 'template_id', 'title', 'message'),
  escrowed: obj({ ...ints('credits'), items: optional(mapOf(Type.Integer())) }),
  ...opt(bools('auto_docked', 'auto_undocked')),
})

export const canceledSchema = obj(strings('status', 'message'))

export const listedSchema = obj({
  ...ints('count', 'max_posted'),
  ...strings('message'),
  missions: list(
    obj({
      ...strings('template_id', 'title', 'type'),
      ...ints('active_instances', 'difficulty', 'reward_credits'),
      ...opt(strings('posted_by')),
    }),
  ),
})
