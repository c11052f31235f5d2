/** Mending with kits, as other domains use it; apart from rules.ts, which much else imports. */
export { type KitRepair, planKitRepair } from './repair.ts'
