/** More goods that missions hand over and bind to their carrier: one a template. */
import { goods } from './goods-row.ts'
import type { ItemRow } from './types.ts'

export const BOUND_ITEMS: readonly ItemRow[] = goods('quest', [
  ['court_summons', 'Court Summons', 150, 'Addressed to somebody who has moved twice since.'],
  ['sealed_testament', 'Sealed Testament', 350, 'The last word, in wax.'],
  ['blood_samples', 'Blood Samples', 220, 'Labelled, chilled and impatient.'],
  ['tuning_forks', 'Tuning Forks', 180, 'A set of eight. Do not ask which one is the secret.'],
  ['wedding_dress', 'Wedding Dress', 600, 'In tissue, in a box, in a hurry.'],
  ['seed_vault_tray', 'Seed Vault Tray', 450, 'Forty species, asleep.'],
  ['election_ballots', 'Election Ballots', 260, 'Counted once. About to be counted again.'],
  ['lighthouse_lens', 'Lighthouse Lens', 900, 'Ground by hand, by somebody’s grandfather.', 4],
  ['ledger_of_debts', 'Ledger of Debts', 320, 'Everybody in it would like it lost.'],
  ['chess_by_post', 'Chess by Post', 80, 'One move, in an envelope, after nine weeks’ thought.'],
  ['bell_clapper', 'Bell Clapper', 280, 'The bell is already there, and silent.', 3],
  ['cold_case_file', 'Cold Case File', 240, 'Twelve years of a patient man’s handwriting.'],
  ['reactor_key', 'Reactor Key', 700, 'One of two. Never to be turned alone.'],
  ['ransom_purse', 'Ransom Purse', 500, 'Small coin, as instructed.'],
  ['pilot_logbooks', 'Pilot Logbooks', 200, 'Of a ship that came home without its crew.'],
  ['oath_stone', 'Oath Stone', 310, 'Worn smooth by people meaning it.', 2],
  ['lamp_oil_flask', 'First Flask of Lamp Oil', 130, 'From the first lamp, for the next one.'],
  ['listening_reel', 'Listening Reel', 420, 'Nine hours of nothing, with one exception.'],
]).map((row) => ({ ...row, tradeable: false, quest_item: true }))
