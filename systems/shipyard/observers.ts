/** What becomes of licences when a faction ends. Source: factions.md section 3. */
import { observe } from '../../core/occurrence.ts'
import { disbanded } from '../faction/columns.ts'
import { dropLicenses } from './license-commands.ts'

export const endLicenses = observe(disbanded, (world, { faction }) => dropLicenses(world, faction))
