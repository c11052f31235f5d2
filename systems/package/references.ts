/** Packages by id alone: labels are not told apart. */
import type { ReferenceDef } from '../../core/reference.ts'
import { isPackageId } from './id-rules.ts'

export const packages: ReferenceDef = {
  kind: 'package',
  byId: (_view, _player, text) => (isPackageId(text) ? text : undefined),
  names: () => [],
  unknown: ['unknown_item'],
}
