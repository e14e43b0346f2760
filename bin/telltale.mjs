#!/usr/bin/env node
import '../dist/cli/telltale.js';
