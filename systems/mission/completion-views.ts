/** Wire forms of completed missions. */
import { type MissionRow, missionTemplate } from '../../core/catalog/index.ts'
import { isoTime } from '../../core/time.ts'
import { standingOf, xpOf } from './offers-model.ts'
import type { Completion } from './state.ts'
import { headOf, itemsField } from './views.ts'

/** Renders completed missions, latest first. */
export function renderCompleted(done: Readonly<Record<string, Completion>>) {
  return Object.entries(done)
    .sort(([a, [aMs]], [b, [bMs]]) => bMs - aMs || (a < b ? -1 : 1))
    .flatMap(([id, [atMs]]) => {
      const template = missionTemplate(id)
      return template ? [{ ...headOf(template), completion_time: isoTime(atMs) }] : []
    })
}

/** Renders a completed mission from its template: its targets are not stored. */
export function renderCompletion(template: MissionRow, [atMs]: Completion) {
  const objectives = template.objectives.map((row) => ({
    type: row.type,
    description: `${row.type.replaceAll('_', ' ')}: ${row.quantity}`,
    quantity: row.quantity,
    ...(row.item !== undefined && { item_id: row.item }),
  }))
  const { chainNext, credits, dialog } = template
  return {
    ...headOf(template),
    description: dialog.offer,
    dialog: { ...dialog },
    objectives,
    rewards: {
      credits,
      reputation: standingOf(template),
      ...itemsField(template),
      skill_xp: xpOf(template),
    },
    repeatable: template.repeatable,
    completion_time: isoTime(atMs),
    ...(chainNext !== undefined && { chain_next: chainNext }),
  }
}
