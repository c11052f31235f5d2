#!/usr/bin/env node
import { launch } from './launch.mjs'

const [tool, ...args] = process.argv.slice(2)
if (tool === 'start' && !args.includes('--help')) await launch('main', args)
else await launch('cli', process.argv.slice(2))
