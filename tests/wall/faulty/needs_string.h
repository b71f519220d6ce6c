#pragma once

std::string text();
