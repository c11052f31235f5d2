#!/usr/bin/env node
import { launch } from './launch.mjs'

const [tool, ...args] = process.argv.slice(2)
const asksForHelp = args.includes('--help') || args.includes('-h')
if (tool === 'start' && !asksForHelp) await launch('main', args)
else await launch('cli', process.argv.slice(2))
