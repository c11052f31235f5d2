/**
 * Packages: goods sealed under one label. A package stands in one container of goods (a hold, a
 * locker, a store, an escrow, a wreck) beside its stacks; its manifest is a container of its own.
 * Notes stand, move and are lost in the same way, each in a row of this table without a manifest.
 */
import { defineEntity, f64, ref, text, u8 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineOccurrence } from '../../core/occurrence.ts'
import type { Row } from '../../core/types.ts'

/** Kinds of place (append only): index is the value of `kind`. Source: trade-storage.md 1, 5. */
export const PACKAGE_PLACES = [
  'cargo',
  'locker',
  'store',
  'escrow',
  'wreck',
  'adrift',
  'shipment',
] as const
export type PackagePlace = (typeof PACKAGE_PLACES)[number]

export const Package = defineEntity('package', ROWS.packages, {
  manifest: ref('container', 'what is sealed in it; 0 of a note'),
  note: ref('note', 'the note it is; 0 a package of goods'),
  holder: ref('container', 'where it stands'),
  kind: u8('index into PACKAGE_PLACES'),
  ship: ref('ship', 'in a hold: whose'),
  base: ref('base', 'in a locker or store: where; 0 elsewhere'),
  player: ref('player', 'owner, the last one where the place has none; 0 of a faction or nobody'),
  factionSeq: f64('number of the faction that owns it; 0 of a player or nobody'),
  creator: ref('player', 'who packed it; 0 nobody'),
  label: text('what its packer wrote on it'),
  createdMs: f64('wall time of its packing, ms since 1970'),
  size: u8('space of its contents, at most 100'),
})

/** A package stands in another place now. */
export const packageMoved = defineOccurrence<{ pkg: Row }>('package moved')
/** A package is about to be no more; it still stands where it stood. */
export const packageGone = defineOccurrence<{ pkg: Row; how: 'opened' | 'destroyed' }>(
  'package gone',
)
