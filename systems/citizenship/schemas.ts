/** Wire shapes of citizenship. */
import { bools, ints, list, obj, opt, strings, Type } from '../../core/params.ts'

const citizenshipFields = obj({
  ...strings('empire_id', 'granted_at'),
  ...opt(strings('granted_by')),
})

export const petitionFields = obj({
  ...strings('id', 'empire_id', 'player_id', 'player_name', 'player_home_empire', 'status'),
  ...strings('created_at'),
  ...ints('credits', 'fee_paid', 'reputation'),
  held_citizenships: list(Type.String()),
  ...opt(strings('decided_at', 'decided_by', 'decision')),
})

const summaryFields = obj({
  ...strings('empire_id', 'empire_name'),
  ...bools('auto_approve', 'eligible', 'exclusive', 'has_pending', 'is_citizen', 'open'),
  ...ints('fee', 'min_balance', 'min_reputation', 'your_reputation'),
  ...opt(strings('ineligible_reason')),
})

/** Every answer of the command; which fields there are depends on the action. */
export const citizenshipSchema = obj(
  opt({
    citizenship: citizenshipFields,
    citizenships: list(citizenshipFields),
    empires: list(summaryFields),
    pending_petitions: list(petitionFields),
    petition: petitionFields,
    recent_decisions: list(petitionFields),
    renounced: list(Type.String()),
    rules: list(Type.String()),
    ...strings('empire_id', 'message', 'origin', 'petition_id', 'status'),
    ...ints('fee_paid', 'fee_refunded'),
  }),
)
